/** How a call reaches the order service: a port, which the simulation (test/simulate) implements without a network. */
import type { Dispatcher } from 'undici';
import { ClaimLostError, type Exchange, exchange, type HttpCall, type Limits } from '../../http/exchange.ts';
import type { ClaimGuard } from '../../requests/ports/ports.ts';
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
      if (call.method === 'GET') return run(dispatchers.forReads(token));
      return dispatchers.forOneCall(guard, async (dispatcher, isConnected) =>
        withOwnDelay(await run(dispatcher), { isConnected: isConnected(), guard }),
      );
    },
    close: dispatchers.close,
  };
}

/**
 * A call that came to nothing although the service was there, or for which this process took longer than the claim lasts,
 * says nothing against the service: the claim was read too slowly, or the process was frozen.
 */
function withOwnDelay(
  result: Exchange,
  { isConnected, guard }: { isConnected: boolean; guard: ClaimGuard | undefined },
): Exchange {
  if (result.type === 'answered' || result.sent || result.cause instanceof ClaimLostError) return result;
  const isOurs = (result.timedOut && isConnected) || guard?.inTime() === false;
  return isOurs
    ? { ...result, cause: new ClaimLostError('The call was held up before it was written.') }
    : result;
}
