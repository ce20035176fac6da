/** Simulates one HTTP exchange over a faulty network; `serve` is the server. */
import { ClaimLostError, type Exchange, type HttpAnswer, type Limits } from '../../../src/http/exchange.ts';
import { amountOf, type Boundary } from '../draw/faults.ts';
import type { Team } from '../teams.ts';
import { injectAfter, injectBefore, type Machine } from './machine.ts';

/** The server. The request may reach it long after the client has timed out. */
export type Serve = (fault: string) => HttpAnswer;

type ExchangeOptions = {
  boundary: Extract<Boundary, 'slack' | 'service'>;
  name: string;
  /** The team that the exchange is made for, if it is one of the play. */
  team: Team | undefined;
  limits: Limits;
  /** Whether the request may still be written; called in the tick of the write. */
  inTime: () => boolean;
  /** Called in the tick of the write. */
  onSend?: () => void;
  /** Called between connecting and writing. @throws if nothing may be written */
  check?: () => Promise<void>;
  serve: Serve;
  /** Called with each answer that reaches the process before it has given up. */
  onAnswered?: (answer: HttpAnswer) => void;
};

const REFUSED: HttpAnswer = { status: 500, headers: {}, body: 'upstream failure' };
const UNAUTHORIZED: HttpAnswer = { status: 401, headers: {}, body: '{"code":"UNAUTHORIZED"}' };
const GARBAGE: HttpAnswer = { status: 200, headers: {}, body: '<html><body>OK</body></html>' };

/**
 * Returns the answer of the server, changed by the fault. A fault with "after" in its name strikes once the request is served.
 */
function serveWithFault(fault: string, serve: Serve): HttpAnswer {
  if (fault.startsWith('429'))
    return { status: 429, headers: { 'retry-after': `${amountOf(fault)}` }, body: '{}' };
  if (fault === '500') return REFUSED;
  if (fault === '401') return UNAUTHORIZED;
  const answer = serve(fault);
  if (fault === '500 after') return REFUSED;
  return fault === 'garbage after' ? GARBAGE : answer;
}

/** @returns what src/http/exchange.ts returns: the answer, or a failure that says whether the request was sent */
export function exchangeOver(machine: Machine, options: ExchangeOptions): Promise<Exchange> {
  const { scheduler, process } = machine;
  const { boundary, name, team, limits, inTime, check = async () => {}, serve } = options;
  const { onSend = () => {}, onAnswered = () => {} } = options;
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const deadline = scheduler.now() + limits.deadlineMs;
  const { fault, requestMs, responseMs } = injectBefore(machine, boundary, name, team);
  let isSent = false;
  let isOver = false;

  function finish(result: Exchange): void {
    if (isOver) return;
    isOver = true;
    cancelDeadline();
    resolve(result);
  }
  const failed = (cause: Error, timedOut = false): Exchange => ({
    type: 'failed',
    sent: isSent,
    timedOut,
    head: undefined,
    cause,
  });

  /** Checks the deadline and the claim in the tick of the write, as src/http/exchange.ts does. */
  function write(): void {
    if (isOver) return;
    if (scheduler.now() > deadline) finish(failed(new Error('The deadline has passed.')));
    else if (!inTime())
      finish(failed(new ClaimLostError('The claim had expired when the call was to be written.')));
    else {
      isSent = true;
      onSend();
      transmit();
    }
  }

  function transmit(): void {
    if (fault === 'lost') return;
    const delay = fault.startsWith('late') ? amountOf(fault) : requestMs;
    scheduler.after(delay, () => {
      const answer = serveWithFault(fault, serve);
      injectAfter(machine, fault);
      if (fault.startsWith('answer lost')) {
        scheduler.after(responseMs, () => process.enter(() => finish(failed(new Error('socket hang up')))));
        return;
      }
      const late = fault === 'answer late' ? limits.deadlineMs - 10 : responseMs;
      scheduler.after(late, () =>
        process.enter(() => {
          if (!isOver) onAnswered(answer);
          finish({ type: 'answered', answer });
        }),
      );
    });
  }

  // After a freeze, data that has arrived is read before an expired timer counts (socketsPolled in src).
  const cancelDeadline = scheduler.after(limits.deadlineMs, () =>
    process.enter(() =>
      scheduler.after(1, () =>
        process.enter(() => finish(failed(new Error('The deadline has passed.'), true))),
      ),
    ),
  );
  if (fault === 'refused') {
    const refusal = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    scheduler.after(requestMs, () => process.enter(() => finish(failed(refusal))));
    return promise;
  }
  process.enter(() => {
    check().then(
      // The process may have been frozen meanwhile.
      () => process.enter(write),
      (cause) => finish(failed(cause)),
    );
  });
  return promise;
}
