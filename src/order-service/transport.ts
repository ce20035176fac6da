/** How a call reaches the order service: a port, which the simulation (test/simulate) implements without a network. */
import type { Dispatcher } from 'undici';
import { type Exchange, exchange, type HttpCall, type Limits } from '../http/exchange.ts';
import type { ClaimGuard } from '../requests/ports.ts';
import { createDispatchers } from './dispatchers.ts';

/** `guard`: of the claim that covers the call; undefined where none does. */
export type Sender = { token: string; guard: ClaimGuard | undefined };

export type Transport = {
  /** Makes one call, once. Whatever becomes of it is in what it returns. */
  send(call: HttpCall, limits: Limits, sender: Sender): Promise<Exchange>;
  close(): Promise<void>;
};

export function createTransport(origin: string): Transport {
  const dispatchers = createDispatchers(origin);
  return {
    send(call, limits, { token, guard }) {
      const run = (dispatcher: Dispatcher) => exchange(dispatcher, call, limits, guard?.inTime);
      return call.method === 'GET' ? run(dispatchers.forReads(token)) : dispatchers.forOneCall(guard, run);
    },
    close: dispatchers.close,
  };
}
