/** Injects faults into the operations that the ports of one replica perform. */
import { USUAL } from '../draw/choices.ts';
import { amountOf, type Boundary, faultOptions, withoutLoss } from '../draw/faults.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import type { Team } from '../teams.ts';
import type { Witness } from '../witness/witness.ts';
import type { World } from '../world/world.ts';

/** The parts that the ports of one process share. */
export type Machine = Pick<World, 'scheduler' | 'choices' | 'faultRates' | 'spans' | 'storage' | 'trace'> & {
  witness: Pick<Witness, 'currentEffect' | 'currentWork' | 'nameOf' | 'onFault'>;
  process: SimulatedProcess;
  /** Crashes the process; its replica starts another one after a while. */
  crash(): void;
};

/** The usual latency, each way, milliseconds. */
const LATENCY: Record<Boundary, number> = { storage: 1, slack: 40, service: 60, delivery: 20 };

export type Transit = {
  fault: string;
  /** The latency of the request and of the response, milliseconds. */
  requestMs: number;
  responseMs: number;
};

/** Whether a method exchanges a single-use token. */
const isExchange = (name: string): boolean => name === 'oauth.v2.access';

/** Chooses the fault of an operation that the process begins now, and injects a crash or freeze that comes before it. */
export function injectBefore(machine: Machine, boundary: Boundary, name: string, team?: Team): Transit {
  const { process, choices, faultRates, spans, trace, scheduler, witness } = machine;
  const effect = witness.currentEffect();
  const point = `${witness.currentWork() ?? process.name}: ${name}`;
  const options = faultOptions(faultRates(team), boundary, effect?.name);
  const fault = choices.take(point, isExchange(name) ? withoutLoss(options) : options);
  trace.note(`${scheduler.now()} ${process.name}, ${point}: ${fault}`);
  const usual = LATENCY[boundary];
  if (fault === USUAL) return { fault, requestMs: usual, responseMs: usual };
  trace.tell(scheduler.now(), () => `${process.name}, ${point}: ${fault}`);
  witness.onFault(effect, boundary, fault);
  spans.fault(fault, boundary, { team, about: witness.currentWork() });
  if (fault === 'crash before') machine.crash();
  if (fault.includes('freeze before')) process.freeze(amountOf(fault));
  return { fault, requestMs: usual + (fault.startsWith('+') ? amountOf(fault) : 0), responseMs: usual };
}

/**
 * Injects a crash or freeze that comes after the operation has taken effect on the other side. That may be minutes after the
 * fault was chosen, if others have delayed the operation, so the span is noted again.
 */
export function injectAfter(machine: Machine, fault: string): void {
  if (fault === USUAL) return;
  const after = fault.split(', ').find((part) => /^(crash|freeze) after/.test(part));
  if (after) machine.spans.fault(after, 'process', { about: undefined });
  if (fault.startsWith('crash after')) machine.crash();
  if (fault.includes('freeze after')) machine.process.freeze(amountOf(fault));
}
