/**
 * Counts lines of the log, also those that LOG_LEVEL leaves out. The log has one line for each thing that happened, so no part of
 * the bot has to report it to the metrics, too. A counted line is known by its field `event`, because its wording may change.
 */
import type { Log } from '../outbox/ports.ts';
import { type Definitions, TOKEN_STATES } from './definitions.ts';

type Fields = Readonly<Record<string, unknown>>;
type Count = (metrics: Definitions, fields: Fields) => void;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const seconds = ({ ms }: Fields): number => number(ms) / 1_000;

const COUNTS: Readonly<Record<string, Count>> = {
  effect_performed(metrics, fields) {
    const { effects, effectSeconds, tidied, auditLines } = metrics;
    const effect = text(fields['effect']);
    const result = text(fields['result']);
    effects.inc({ effect, result });
    // After `too_late` nothing was tried.
    if (effect === 'stream_audit_entry' && result !== 'too_late') auditLines.inc({ result });
    effectSeconds.observe({ effect }, seconds(fields));
    for (const how of ['removed', 'linked']) if (how in fields) tidied.inc({ how }, number(fields[how]));
  },
  claim_expired: ({ claimsExpired }) => claimsExpired.inc(),
  claim_not_replicated: ({ unreplicated }) => unreplicated.inc(),
  event_received({ events, lastEvent }, { result }) {
    events.inc({ answer: text(result) });
    lastEvent.setToCurrentTime();
  },
  request_refused: ({ refusedRequests }, { from, reason }) =>
    refusedRequests.inc({ from: text(from), reason: text(reason) }),
  answered: ({ acknowledgementSeconds }, fields) => acknowledgementSeconds.observe(seconds(fields)),
  acknowledged_late: ({ lateAcknowledgements }) => lateAcknowledgements.inc(),
  sending_paused: ({ pauses }) => pauses.inc({ what: 'sending' }),
  calls_paused: ({ pauses }) => pauses.inc({ what: 'order_service' }),
  order_token_refused: ({ pauses }) => pauses.inc({ what: 'token' }),
  secrets_unopened: ({ unopened }, fields) => unopened.set(number(fields['unopened'])),
  fault: ({ faults }) => faults.inc(),
};

type State = (typeof TOKEN_STATES)[number];

/** The states of the Slack token of a workspace or organization that each event of the log begins or ends. */
const TOKEN_EVENTS: Readonly<Record<string, { is?: State; isNot?: readonly State[] }>> = {
  slack_token_refused: { is: 'refused' },
  slack_token_accepted: { isNot: ['refused'] },
  slack_scopes_missing: { is: 'lacks_scopes' },
  slack_token_not_renewed: { is: 'not_renewed' },
  slack_token_renewed: { isNot: ['refused', 'not_renewed'] },
  slack_scopes_granted: { isNot: ['lacks_scopes'] },
  installed: { isNot: TOKEN_STATES },
  uninstalled: { isNot: TOKEN_STATES },
};

/** The values of the field `event` that are counted. */
export const EVENTS: readonly string[] = [...Object.keys(COUNTS), ...Object.keys(TOKEN_EVENTS)];

/** Returns the ids in a line. `lacking`: those of several installations. `name`: of a token that belongs to no installation. */
const idsIn = ({ workspace, organization, name, lacking }: Fields): string[] =>
  Array.isArray(lacking) ? lacking.map(String) : [text(workspace ?? organization ?? name)];

/** `refusedAt`: when Slack refused to renew the token, unless it was renewed since. `expiresAt`: of the stored token. */
export type InstalledAt = {
  installedAt: number;
  refusedAt?: number | undefined;
  expiresAt?: number | undefined;
};

/** `isExpired`: Slack refused the token because it had expired. */
type Heard = { at: number; isExpired: boolean };

function isOver(state: State, { at, isExpired }: Heard, found: InstalledAt | undefined): boolean {
  if (!found || found.installedAt > at) return true;
  if (state === 'not_renewed') return found.refusedAt === undefined;
  return state === 'refused' && isExpired && (found.expiresAt ?? 0) > at;
}

export type TokenStates = ReturnType<typeof createTokenStates>;

/**
 * Keeps the workspaces and organizations whose Slack tokens can't be used, as this process has last heard.
 *
 * @param now epoch milliseconds
 */
export function createTokenStates({ slackTokens }: Definitions, now: () => number) {
  /** When a state was last heard, by workspace or organization; undefined for a token that belongs to no installation. */
  type HeardOf = Map<string, Heard | undefined>;
  const heard: Record<State, HeardOf> = {
    refused: new Map(),
    lacks_scopes: new Map(),
    not_renewed: new Map(),
  };
  const show = () => {
    for (const state of TOKEN_STATES) slackTokens.set({ state }, heard[state].size);
  };
  return {
    note(event: string, fields: Fields): void {
      const { is, isNot = [] } = TOKEN_EVENTS[event] ?? {};
      const isExpired = fields['code'] === 'token_expired';
      for (const id of idsIn(fields)) {
        for (const state of isNot) heard[state].delete(id);
        if (is) heard[is].set(id, 'name' in fields ? undefined : { at: now(), isExpired });
      }
      show();
    },
    /**
     * Drops the workspaces and organizations in which the app is no longer installed, or was installed again, or whose token was
     * renewed after all: only another replica may have been told.
     *
     * @param find what is installed, times in epoch milliseconds; undefined: nothing
     */
    async recheck(find: (id: string) => Promise<InstalledAt | undefined>): Promise<void> {
      for (const state of TOKEN_STATES)
        for (const [id, last] of heard[state]) {
          if (last === undefined) continue;
          const found = await find(id);
          // The state may have been heard again meanwhile.
          if (isOver(state, last, found) && heard[state].get(id) === last) heard[state].delete(id);
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
