/**
 * Counts what the log tells. The log has one line for each thing that happened, also for those that LOG_LEVEL leaves out, so
 * that a part of the bot tells it once.
 */
import type { Log } from '../outbox/ports.ts';
import type { Definitions } from './definitions.ts';

type Fields = Record<string, unknown>;
type Count = (metrics: Definitions, fields: Fields) => void;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const seconds = ({ ms }: Fields): number => number(ms) / 1_000;

/** The first word alone: what follows has codes and counts. */
const word = (value: unknown): string => /^\w*/.exec(text(value))?.[0] ?? '';

const slackTokenRefused: Count = ({ slackTokenRefusals }) => slackTokenRefusals.inc();
const scopeMissing: Count = ({ missingScopes }) => missingScopes.inc();

/** The metrics that each line counts, by its message. */
export const LINES: Readonly<Record<string, Count>> = {
  'effect performed'(metrics, fields) {
    const effect = text(fields['effect']);
    metrics.effects.inc({ effect, result: word(fields['result']) });
    metrics.effectSeconds.observe({ effect }, seconds(fields));
    const [, removed, linked] = /\((\d+) removed, (\d+) linked\)/.exec(text(fields['result'])) ?? [];
    if (removed === undefined) return;
    metrics.tidied.inc({ how: 'removed' }, Number(removed));
    metrics.tidied.inc({ how: 'linked' }, Number(linked));
  },
  'claim expired': ({ claimsExpired }, { effect }) => claimsExpired.inc({ effect: text(effect) }),
  'claim not replicated: nothing is sent': ({ unreplicated }) => unreplicated.inc(),
  'event received'({ events, lastEvent }, { result }) {
    events.inc({ answer: text(result) });
    lastEvent.setToCurrentTime();
  },
  acknowledged: ({ acknowledgementSeconds }, fields) => acknowledgementSeconds.observe(seconds(fields)),
  'not acknowledged within 3 s': ({ lateAcknowledgements }) => lateAcknowledgements.inc(),
  'sending paused': ({ pauses }) => pauses.inc({ what: 'sending' }),
  'order service calls paused': ({ pauses }) => pauses.inc({ what: 'order_service' }),
  'order service refused the token: calls paused': ({ pauses }) => pauses.inc({ what: 'token' }),
  'Slack does not accept the bot token of this workspace': slackTokenRefused,
  'Slack has revoked the bot token': slackTokenRefused,
  'Slack refused a call since the bot token lacks a scope': scopeMissing,
  'the bot token lacks scopes that Countermand needs': scopeMissing,
  'bot tokens lack scopes that Countermand needs': scopeMissing,
  'secrets of some workspaces can not be opened': ({ unopened }, fields) =>
    unopened.set(number(fields['unopened'])),
  fault: ({ faults }) => faults.inc(),
};

/** Some messages go on after a colon: with what to do. */
function countOf(message: string): Count | undefined {
  return LINES[message] ?? LINES[message.split(': ', 1)[0] ?? ''];
}

/** @returns a log that counts each line before it is written */
export function observeLog(log: Log, metrics: Definitions): Log {
  const observed =
    (level: keyof Log): Log[keyof Log] =>
    (fields, message) => {
      metrics.logLines.inc({ level });
      countOf(message)?.(metrics, fields as Fields);
      log[level](fields, message);
    };
  return {
    debug: observed('debug'),
    info: observed('info'),
    warn: observed('warn'),
    error: observed('error'),
  };
}
