/** Follows the state of Slack tokens in the log, for a gauge. */
import { type Definitions, TOKEN_STATES } from './definitions.ts';

type State = (typeof TOKEN_STATES)[number];

/** What each event of the log reports of the Slack token of its workspace or organization. */
export const TOKEN_EVENTS: Readonly<Record<string, { is?: State; isNot?: readonly State[] }>> = {
  slack_token_refused: { is: 'refused' },
  slack_token_accepted: { isNot: ['refused'] },
  slack_scopes_missing: { is: 'lacks_scopes' },
  slack_token_not_renewed: { is: 'not_renewed' },
  slack_token_renewed: { isNot: ['refused', 'not_renewed'] },
  slack_scopes_granted: { isNot: ['lacks_scopes'] },
  installed: { isNot: TOKEN_STATES },
  uninstalled: { isNot: TOKEN_STATES },
};

type Fields = Readonly<Record<string, unknown>>;

/** `first`: the ids in a line about several installations. `name`: of a token that belongs to no installation. */
const idsIn = ({ workspace, organization, name, first }: Fields): string[] =>
  Array.isArray(first) ? first.map(String) : [String(workspace ?? organization ?? name ?? '')];

export type TokenStates = ReturnType<typeof createTokenStates>;

/**
 * Keeps the workspaces and organizations whose Slack tokens can't be used, as this process has last heard.
 *
 * @param now epoch milliseconds
 */
export function createTokenStates({ slackTokens }: Definitions, now: () => number) {
  /** By workspace or organization, when its state was last heard; undefined for a token that belongs to no installation. */
  type HeardAt = Map<string, number | undefined>;
  const heardAt: Record<State, HeardAt> = {
    refused: new Map(),
    lacks_scopes: new Map(),
    not_renewed: new Map(),
  };
  const show = () => {
    for (const state of TOKEN_STATES) slackTokens.set({ state }, heardAt[state].size);
  };
  return {
    note(event: string, fields: Fields): void {
      const { is, isNot = [] } = TOKEN_EVENTS[event] ?? {};
      for (const id of idsIn(fields)) {
        for (const state of isNot) heardAt[state].delete(id);
        if (is) heardAt[is].set(id, 'name' in fields ? undefined : now());
      }
      show();
    },
    /**
     * Drops the workspaces and organizations in which the app is installed no more, or was installed again: another replica may
     * have been told.
     *
     * @param installedAt epoch milliseconds; undefined: it is not installed
     */
    async recheck(installedAt: (id: string) => Promise<number | undefined>): Promise<void> {
      for (const heard of Object.values(heardAt))
        for (const [id, at] of heard) {
          if (at === undefined) continue;
          const since = await installedAt(id);
          // The state may have been heard again meanwhile.
          if ((since === undefined || since > at) && heard.get(id) === at) heard.delete(id);
        }
      show();
    },
  };
}
