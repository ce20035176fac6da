/** Gives the ports of one replica its life, its clock, and the faults that they meet. */
import { type Choices, USUAL } from '../draw/choices.ts';
import { amountOf, type Fates, optionsAt, type Place } from '../draw/fates.ts';
import type { Life } from '../life.ts';
import type { Timeline } from '../timeline.ts';
import type { Trace } from '../trace.ts';
import type { Witness } from '../witness.ts';
import type { Team } from '../world/slack-side.ts';

export type Machine = {
  timeline: Timeline;
  choices: Choices;
  /** How likely what is now; for what is done for a team, or for all of them. */
  fates: (team?: Team) => Fates;
  trace: Trace;
  witness: Pick<Witness, 'effect' | 'covered'>;
  life: Life;
  /** Ends the process at once; another one takes its place after a while. */
  crash(): void;
};

/** Milliseconds that a message is on its way, each way. */
const LATENCY: Record<Place, number> = { storage: 1, slack: 40, service: 60, delivery: 20 };

export type Journey = {
  fate: string;
  /** Milliseconds there, and back. */
  there: number;
  back: number;
};

/** Decides what becomes of something that leaves the process now, and lets happen to the process what is to happen first. */
export function setOut(machine: Machine, place: Place, name: string, team?: Team): Journey {
  const { life, choices, fates, trace, timeline, witness } = machine;
  const effect = witness.effect();
  const point = `${life.name} ${name}`;
  const fate = choices.take(point, optionsAt(fates(team), place, effect?.act));
  trace.note(`${timeline.now()} ${point}: ${fate}`);
  const usual = LATENCY[place];
  if (fate === USUAL) return { fate, there: usual, back: usual };
  witness.covered(effect, place, fate);
  if (fate === 'crash before') machine.crash();
  if (fate.includes('freeze before')) life.freeze(amountOf(fate));
  return { fate, there: usual + (fate.startsWith('+') ? amountOf(fate) : 0), back: usual };
}

/** Lets happen to the process what is to happen once its message has arrived. */
export function arrived(machine: Machine, fate: string): void {
  if (fate === USUAL) return;
  if (fate.startsWith('crash after')) machine.crash();
  if (fate.includes('freeze after')) machine.life.freeze(amountOf(fate));
}
