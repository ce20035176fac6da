/**
 * Counts what the log tells. The log has one line for each thing that happened, also for those that LOG_LEVEL leaves out, so
 * that a part of the bot tells it once. What is counted has a name, the field `event`: the wording of a line may change.
 */
import type { Log } from '../outbox/ports.ts';
import { type Definitions, TOKEN_STATES } from './definitions.ts';

type Fields = Record<string, unknown>;
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

type State = (typeof TOKEN_STATES)[number];

/** The state of a Slack token that each event reports for its workspace or organization. */
const TOKENS: Readonly<Record<string, { is?: State; isNot?: readonly State[] }>> = {
  slack_token_refused: { is: 'refused' },
  slack_token_accepted: { isNot: ['refused'] },
  slack_scopes_missing: { is: 'lacks_scopes' },
  slack_token_not_renewed: { is: 'not_renewed' },
  slack_token_renewed: { isNot: ['refused', 'not_renewed'] },
  slack_scopes_granted: { isNot: ['lacks_scopes'] },
  installed: { isNot: TOKEN_STATES },
  uninstalled: { isNot: TOKEN_STATES },
};

export const EVENTS: readonly string[] = [...Object.keys(COUNTS), ...Object.keys(TOKENS)];

/** `first`: of a line about several installations. `name`: of a token that belongs to none. */
const idsIn = ({ workspace, organization, name, first }: Fields): string[] =>
  Array.isArray(first) ? first.map(String) : [text(workspace ?? organization ?? name)];

export type TokenStates = ReturnType<typeof createTokenStates>;

/**
 * The workspaces and organizations whose Slack tokens are of no use, as this process has last heard.
 *
 * @param now epoch milliseconds
 */
export function createTokenStates({ slackTokens }: Definitions, now: () => number) {
  /** The times at which they were heard; undefined for a token that belongs to no installation. */
  type Heard = Map<string, number | undefined>;
  const having: Record<State, Heard> = {
    refused: new Map(),
    lacks_scopes: new Map(),
    not_renewed: new Map(),
  };
  const show = () => {
    for (const state of TOKEN_STATES) slackTokens.set({ state }, having[state].size);
  };
  return {
    note(event: string, fields: Fields): void {
      const { is, isNot = [] } = TOKENS[event] ?? {};
      for (const id of idsIn(fields)) {
        for (const state of isNot) having[state].delete(id);
        if (is) having[is].set(id, 'name' in fields ? undefined : now());
      }
      show();
    },
    /**
     * Drops those where the app is installed no more, or again: another replica may have been told.
     *
     * @param installedAt epoch milliseconds; undefined: it is not installed
     */
    async recheck(installedAt: (id: string) => Promise<number | undefined>): Promise<void> {
      for (const heard of Object.values(having))
        for (const [id, at] of heard) {
          if (at === undefined) continue;
          const since = await installedAt(id);
          // It may have been heard again meanwhile.
          if ((since === undefined || since > at) && heard.get(id) === at) heard.delete(id);
        }
      show();
    },
  };
}

/** @returns a log that counts each line before it is written */
export function observeLog(log: Log, metrics: Definitions, tokens: TokenStates): Log {
  const observed =
    (level: keyof Log): Log[keyof Log] =>
    (given, message) => {
      const fields = given as Fields;
      const event = text(fields['event']);
      metrics.logLines.inc({ level });
      COUNTS[event]?.(metrics, fields);
      if (event in TOKENS) tokens.note(event, fields);
      log[level](fields, message);
    };
  return {
    debug: observed('debug'),
    info: observed('info'),
    warn: observed('warn'),
    error: observed('error'),
  };
}
