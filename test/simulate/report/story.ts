/** Describes a play in a few lines: its acts, its faults and its violations. */
import type { Act } from '../draw/plan.ts';
import { drawPlay, type Play, type Played, play } from '../play.ts';
import { shrink } from './shrink.ts';

const MINUTE_MS = 60_000;

/** "1:05.250": minutes, seconds and milliseconds since the start of the play. */
function clock(ms: number): string {
  const seconds = ((ms % MINUTE_MS) / 1_000).toFixed(3).padStart(6, '0');
  return `${Math.floor(ms / MINUTE_MS)}:${seconds}`;
}

function actLine({ at, type, ...rest }: Act): string {
  const words = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return `${clock(at)} ${type.replaceAll('_', ' ')}: ${words.join(', ')}`;
}

function story({ plan, choices = [] }: Play, { violations }: Pick<Played, 'violations'>): string {
  const lists = `lists ${JSON.stringify(plan.shortPages)}${plan.outsideMarketplace ? ', outside of the Marketplace' : ''}`;
  return [
    `${plan.replicas} replicas; policies ${JSON.stringify(plan.policies)}; ${lists}; clocks ${JSON.stringify(plan.skews)}`,
    ...plan.acts.map(actLine),
    ...choices.map(({ at, take }) => `${at}: ${take}`),
    ...violations.map((violation) => `=> ${violation}`),
  ].join('\n');
}

/** @returns the story of the failing play of `seed`, shrunk, with its JSON for test/simulate/found */
export async function shrunkStory(seed: number): Promise<string> {
  const smallest = await shrink(drawPlay(seed));
  const last = await play(smallest);
  const { plan, choices = last.taken } = smallest;
  return `${story(smallest, last)}\nfound: ${JSON.stringify({ plan, choices })}`;
}
