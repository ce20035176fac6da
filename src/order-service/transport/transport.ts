/** Connects calls to the order service: a port, which the simulation (test/simulate) implements without a network. */
import type { Dispatcher } from 'undici';
import {
  ClaimLostError,
  ConnectionLostError,
  type Exchange,
  exchange,
  type HttpCall,
  type Limits,
} from '../../http/exchange.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import { createDispatchers } from './dispatchers.ts';

/** `guard`: the guard of the claim that covers the call; undefined if none does. */
export type Sender = { token: string; guard: ClaimGuard | undefined };

export type Transport = {
  /** Makes one call, once. Its result, also a failure, is returned. */
  send(call: HttpCall, limits: Limits, sender: Sender): Promise<Exchange>;
  close(): Promise<void>;
};

export function createTransport(origin: string): Transport {
  const dispatchers = createDispatchers(origin);
  return {
    send(call, limits, { token, guard }) {
      const run = (dispatcher: Dispatcher) => exchange(dispatcher, call, limits, guard?.inTime);
      if (call.method === 'GET') return run(dispatchers.forReads(token));
      return dispatchers.forOneCall(guard, async (dispatcher, isConnected) =>
        explained(await run(dispatcher), { isConnected: isConnected(), guard }),
      );
    },
    close: dispatchers.close,
  };
}

/**
 * Attributes a failure before the first byte: to this process if the service was reachable but nothing was sent in
 * time, or the claim did not last (the claim was read too slowly, or the process was frozen); else to the connection, if
 * one was made. What is left is a service that can't be reached.
 */
function explained(
  result: Exchange,
  { isConnected, guard }: { isConnected: boolean; guard: ClaimGuard | undefined },
): Exchange {
  if (result.type === 'answered' || result.sent || result.cause instanceof ClaimLostError) return result;
  const isOurs = (result.timedOut && isConnected) || guard?.inTime() === false;
  if (isOurs) return { ...result, cause: new ClaimLostError('The call was held up before it was written.') };
  return isConnected ? { ...result, cause: new ConnectionLostError(result.cause.message) } : result;
}
