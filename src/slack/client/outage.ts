/** Logs that Slack can't be reached: once for each outage, and once when it ends. */
import { ClaimLostError, type Exchange, type SendHttp } from '../../http/exchange.ts';
import type { Log } from '../../outbox/ports.ts';

/** A single lost answer is no outage; the line about its call says more. */
const FAILURES_IN_A_ROW = 3;

/** @param monotonic milliseconds */
export function logOutages(send: SendHttp, log: Log, monotonic: () => number): SendHttp {
  let failures = 0;
  let since = 0;

  function learn(result: Exchange): void {
    const why = troubleIn(result);
    if (why === undefined) {
      if (failures >= FAILURES_IN_A_ROW)
        log.info({ failures, ms: Math.round(monotonic() - since) }, 'Slack answers again');
      failures = 0;
      return;
    }
    if (failures === 0) since = monotonic();
    failures += 1;
    if (failures === FAILURES_IN_A_ROW)
      log.error({ why }, 'Slack does not answer: calls to it fail, and are tried again');
  }

  return async (...call) => {
    const result = await send(...call);
    // A call that was stopped here says nothing about Slack.
    if (result.type === 'answered' || !(result.cause instanceof ClaimLostError)) learn(result);
    return result;
  };
}

/** @returns a word for the log; undefined if Slack has answered */
function troubleIn(result: Exchange): string | undefined {
  if (result.type === 'answered')
    return result.answer.status >= 500 ? `http_${result.answer.status}` : undefined;
  if (result.timedOut) return 'time-out';
  return 'code' in result.cause ? String(result.cause.code) : result.cause.name;
}
