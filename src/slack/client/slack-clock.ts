/**
 * Tells the time by Slack's clock, which makes the timestamps of messages. The storage's clock may be minutes away from it.
 */
import { dateOf, type SendHttp } from '../../http/exchange.ts';

/** Longer than any call takes. If this process was frozen, an answer may be old. */
const LONGEST_CALL_MS = 10_000;

/**
 * Reads the time in the answers to calls.
 *
 * @param monotonic milliseconds
 * @returns `now`: epoch milliseconds; undefined if no answer has told the time yet
 */
export function createSlackClock(
  send: SendHttp,
  monotonic: () => number,
): { send: SendHttp; now: () => number | undefined } {
  let ahead: number | undefined;
  return {
    async send(...call) {
      const began = monotonic();
      const result = await send(...call);
      const date = result.type === 'answered' ? dateOf(result.answer) : Number.NaN;
      const passed = monotonic() - began;
      if (!Number.isNaN(date) && passed <= LONGEST_CALL_MS) ahead = date - monotonic();
      return result;
    },
    now: () => (ahead === undefined ? undefined : monotonic() + ahead),
  };
}
