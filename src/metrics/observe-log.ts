/**
 * Counts lines of the log, also those that LOG_LEVEL leaves out: the log has one line for each thing that happened, so that no
 * part of the bot reports it to the metrics, too. A line that is counted has a name, the field `event`: its wording may change.
 */
import type { Log } from '../outbox/ports.ts';
import type { Definitions } from './definitions.ts';
import { TOKEN_EVENTS, type TokenStates } from './token-states.ts';

type Fields = Readonly<Record<string, unknown>>;
type Count = (metrics: Definitions, fields: Fields) => void;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const seconds = ({ ms }: Fields): number => number(ms) / 1_000;

const COUNTS: Readonly<Record<string, Count>> = {
  effect_performed(metrics, fields) {
    const { effects, effectSeconds, tidied } = metrics;
    const effect = text(fields['effect']);
    effects.inc({ effect, result: text(fields['result']) });
    effectSeconds.observe({ effect }, seconds(fields));
    for (const how of ['removed', 'linked']) if (how in fields) tidied.inc({ how }, number(fields[how]));
  },
  claim_expired: ({ claimsExpired }) => claimsExpired.inc(),
  claim_not_replicated: ({ unreplicated }) => unreplicated.inc(),
  event_received({ events, lastEvent }, { result }) {
    events.inc({ answer: text(result) });
    lastEvent.setToCurrentTime();
  },
  acknowledged: ({ acknowledgementSeconds }, fields) => acknowledgementSeconds.observe(seconds(fields)),
  acknowledged_late: ({ lateAcknowledgements }) => lateAcknowledgements.inc(),
  sending_paused: ({ pauses }) => pauses.inc({ what: 'sending' }),
  calls_paused: ({ pauses }) => pauses.inc({ what: 'order_service' }),
  order_token_refused: ({ pauses }) => pauses.inc({ what: 'token' }),
  secrets_unopened: ({ unopened }, fields) => unopened.set(number(fields['unopened'])),
  fault: ({ faults }) => faults.inc(),
};

/** The values of the field `event` that are counted. */
export const EVENTS: readonly string[] = [...Object.keys(COUNTS), ...Object.keys(TOKEN_EVENTS)];

/** @returns a log that counts each line before it is written */
export function observeLog(log: Log, metrics: Definitions, tokens: TokenStates): Log {
  const observed =
    (level: keyof Log): Log[keyof Log] =>
    (given, message) => {
      const fields = given as Fields;
      const event = text(fields['event']);
      metrics.logLines.inc({ level });
      COUNTS[event]?.(metrics, fields);
      if (event in TOKEN_EVENTS) tokens.note(event, fields);
      log[level](fields, message);
    };
  return {
    debug: observed('debug'),
    info: observed('info'),
    warn: observed('warn'),
    error: observed('error'),
  };
}
