/** The faults that make requests fail, late or unanswered. */
import { once } from 'node:events';
import { inspect } from 'node:util';
import { pause } from '../feed.ts';

type FaultRule = {
  /** The method or operation, or '*' for any. */
  on: string;
  fault: Fault;
  /** Fields that the request must have, or a predicate on the request. */
  where?: Record<string, unknown> | ((request: unknown) => boolean);
  /** The number of matching requests that the fault applies to (default 1), after the first `skip` of them (default 0). */
  times?: number;
  skip?: number;
};

/** A fault that applies to a request, with the gate that holds the request if it is a hold. */
export type Strike = {
  fault: Fault;
  gate: ReturnType<typeof createGate>;
};

export type Faults = ReturnType<typeof createFaults>;

/** Creates an empty set of faults. The first matching rule applies; one request gets one fault. */
export function createFaults() {
  const scheduled = new Set<ScheduledFault>();
  const clear = () => {
    for (const fault of scheduled) {
      fault.cancel();
      fault.release();
    }
  };
  return {
    /** @throws if the fault is none for a WebSocket */
    schedule: (rule: FaultRule) => {
      const { on, fault: what } = rule;
      if (on.startsWith('socket.') && what.type === 'hold' && what.when === 'late')
        throw new Error(`A hold of 'late' does not apply to ${on}: take 'before' or 'after'.`);
      const fault = createScheduledFault(rule);
      scheduled.add(fault);
      return fault;
    },
    /** Returns the fault that applies to this request, if any, and counts it as used. */
    take: (name: string, request: unknown): Strike | undefined => {
      for (const { rule, gate, strikes } of scheduled) {
        if (isFor(rule, name, request) && strikes()) return { fault: rule.fault, gate };
      }
      return undefined;
    },
    list: () => [...scheduled],
    clear,
    /**
     * Clears the faults once nothing comes any more.
     *
     * @throws if a fault has applied to no request, and nobody has cancelled it: what it was scheduled to show has not happened
     */
    end: () => {
      const unused = [...scheduled].filter((fault) => fault.isUnused()).map(({ rule }) => rule);
      clear();
      if (unused.length > 0) throw new Error(`These faults have applied to no request: ${inspect(unused)}`);
    },
  };
}

export type ScheduledFault = ReturnType<typeof createScheduledFault>;

function createScheduledFault(rule: FaultRule) {
  const gate = createGate();
  let toSkip = rule.skip ?? 0;
  let remaining = rule.times ?? 1;
  let isUnused = true;
  return {
    rule,
    gate,
    /** The number of requests that it will still apply to. */
    get remaining() {
      return remaining;
    },
    strikes: () => {
      if (remaining === 0) return false;
      if (toSkip > 0) {
        toSkip -= 1;
        return false;
      }
      remaining -= 1;
      isUnused = false;
      return true;
    },
    /** Whether it has applied to no request, and nobody has cancelled it. */
    isUnused: () => isUnused,
    cancel: () => {
      remaining = 0;
      isUnused = false;
    },
    /** For a hold: resolves when the first request is held. `release` lets the held requests go on, and all later ones. */
    reached: gate.reached,
    release: gate.release,
  };
}

function isFor({ on, where = {} }: FaultRule, name: string, request: unknown): boolean {
  if (on !== '*' && on !== name) return false;
  return typeof where === 'function' ? where(request) : contains(request, where);
}

function contains(value: unknown, expected: unknown): boolean {
  if (expected === null || typeof expected !== 'object') return value === expected;
  if (value === null || typeof value !== 'object') return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(expected).every(([key, part]) => contains(fields[key], part));
}

/** Waits for a `delay`, or a `hold` of 'before'; the signal ends the wait. */
export async function waitBefore({ fault, gate }: Strike, until: AbortSignal): Promise<void> {
  if (fault.type === 'delay') await pause(fault.ms, until);
  if (fault.type === 'hold' && fault.when === 'before') await gate.pass(until);
}

/** Waits for a `delay_answer`, or a `hold` of 'after'; the signal ends the wait. */
export async function waitAfter({ fault, gate }: Strike, until: AbortSignal): Promise<void> {
  if (fault.type === 'delay_answer') await pause(fault.ms, until);
  if (fault.type === 'hold' && fault.when === 'after') await gate.pass(until);
}

function createGate() {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    release: () => released.resolve(),
    /** Resolves when the gate is released, or when the client leaves. */
    pass: async (gone: AbortSignal) => {
      reached.resolve();
      await Promise.race([released.promise, gone.aborted || once(gone, 'abort')]);
    },
  };
}

/**
 * The faults that can be applied to one request. Three names are neither methods nor operations, and take some faults only:
 * - `socket.connect`, a WebSocket that the app opens: `status` and `drop` refuse it, `delay` and a `hold` of 'before' open it
 *   late, `delay_answer` and a `hold` of 'after' greet late;
 * - `socket.envelope`: `drop` loses it and `unanswered` its acknowledgement, both with the connection; `delay` and a `hold` of
 *   'before' send it late, `delay_answer` and a `hold` of 'after' take the acknowledgement late;
 * - `app.answer`, the app's answer over either transport: `unanswered` loses it. `where` has `kind` and `name` (the command, or
 *   the type of the payload or event).
 */
export type Fault =
  // The request is refused before it is processed.
  | { type: 'rate_limit'; retryAfterSeconds: number }
  | { type: 'status'; status: number; body?: unknown }
  | { type: 'error'; code: string }
  | { type: 'redirect'; status: number; location: string }
  | { type: 'drop' }
  // The request is processed, but its answer does not say so, can't be read, or never comes.
  | { type: 'status_after'; status: number; body?: unknown }
  | { type: 'unanswered' }
  | { type: 'truncated' }
  | { type: 'garbage' }
  // The request is delayed before it is processed (even if the client has left by then), or before it is answered.
  | { type: 'delay'; ms: number }
  | { type: 'delay_answer'; ms: number }
  // The request is held until it is released. If the client leaves meanwhile, 'before' skips the processing; 'late' does
  // not.
  | { type: 'hold'; when: 'before' | 'late' | 'after' };
