import type { Fault } from './fault-schema.ts';
import { createGate, type Gate } from './gate.ts';

export type { Fault } from './fault-schema.ts';

/** Which requests a fault is for. */
export type FaultOrder = {
  /** The method or operation, or '*' for any. */
  on: string;
  fault: Fault;
  /** Fields that the request must have, or a function that says whether the fault is for it. */
  where?: Record<string, unknown> | ((request: unknown) => boolean);
  /** How many matching requests it strikes (1), after letting how many pass (0). */
  times?: number;
  skip?: number;
};

/** A fault that was ordered. */
export type OrderedFault = {
  readonly id: string;
  readonly order: FaultOrder;
  /** How many requests it will still strike. */
  readonly remaining: number;
  cancel(): void;
  /** For a hold: when the first request has come to it, and how to let it go on. */
  readonly reached: Promise<void>;
  release(): void;
};

/** A fault that struck a request, with the gate to stop at if it is a hold. */
export type Strike = {
  fault: Fault;
  gate: Gate;
};

/** The faults of one service. */
export type Faults = {
  order(order: FaultOrder): OrderedFault;
  /** The fault for this request, if one is due; it is used up by asking. */
  take(name: string, request: unknown): Strike | undefined;
  /** Every order that was given, used up or not. */
  list(): OrderedFault[];
  /** Cancels every order and releases every hold. */
  clear(): void;
};

/** No faults yet. Orders are tried in the order in which they were given; one request gets one fault. */
export function createFaults(): Faults {
  const orders = new Set<ReturnType<typeof createOrder>>();
  return {
    order: (order) => {
      const ordered = createOrder(`fault-${orders.size + 1}`, order);
      orders.add(ordered);
      return ordered;
    },
    take: (name, request) => {
      for (const ordered of orders) {
        if (isFor(ordered.order, name, request) && ordered.strikes()) {
          return { fault: ordered.order.fault, gate: ordered.gate };
        }
      }
      return undefined;
    },
    list: () => [...orders],
    clear: () => {
      for (const ordered of orders) {
        ordered.cancel();
        ordered.release();
      }
    },
  };
}

function createOrder(id: string, order: FaultOrder): OrderedFault & { gate: Gate; strikes(): boolean } {
  const gate = createGate();
  let toSkip = order.skip ?? 0;
  let remaining = order.times ?? 1;
  return {
    id,
    order,
    gate,
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
      return true;
    },
    cancel: () => {
      remaining = 0;
    },
    reached: gate.reached,
    release: gate.release,
  };
}

function isFor({ on, where = {} }: FaultOrder, name: string, request: unknown): boolean {
  if (on !== '*' && on !== name) return false;
  return typeof where === 'function' ? where(request) : contains(request, where);
}

function contains(value: unknown, expected: unknown): boolean {
  if (expected === null || typeof expected !== 'object') return value === expected;
  if (value === null || typeof value !== 'object') return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(expected).every(([key, part]) => contains(fields[key], part));
}
