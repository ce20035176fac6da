/** What listeners are given, and what they are. */
import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
  webApi,
} from '@slack/bolt';
import type { PolicyDraft } from '../../requests/approvals/draft-policy.ts';
import type { giveReason, mayGiveReason, ReasonGiven } from '../../requests/approvals/give-reason.ts';
import type { Reacted, Reacting } from '../../requests/approvals/react.ts';
import type { Cast, Voted } from '../../requests/approvals/vote.ts';
import type { Asked, Asking, Barrier } from '../../requests/ask.ts';
import type { PersonAct } from '../../requests/cause.ts';
import type { HistoryPage, readHistory } from '../../requests/history.ts';
import type { findForIntervention, Intervened, Intervening } from '../../requests/intervene.ts';
import type { LookedUp } from '../../requests/look-up.ts';
import type { Log } from '../../requests/ports.ts';
import type { RecordRef } from '../../requests/record-store.ts';
import { mayAdminister } from '../../requests/rules.ts';
import type { Sharing } from '../../requests/sharing.ts';
import type { ChangingPolicy, PolicyChanged } from '../../workspaces/change-policy.ts';
import type { Connected, Connecting } from '../../workspaces/connect.ts';
import type { Disconnected, DisconnectPlan } from '../../workspaces/disconnect.ts';
import type { Told } from '../../workspaces/leave.ts';
import type { ConnectPlan } from '../../workspaces/plan-connect.ts';
import type { Settings, SettingsStore } from '../../workspaces/settings.ts';
import type { FoundSubBrands } from '../../workspaces/sub-brands.ts';
import type { SlackDirectory } from '../directory.ts';
import type { EventName } from '../ids.ts';
import type { Links } from '../links.ts';

/** The use cases that listeners call, and what they need to show the outcome. */
export type ListenerDeps = {
  ask: (asking: Asking) => Promise<Asked>;
  whetherMayAsk: (who: Pick<Asking, 'workspace' | 'asker'>) => Promise<Barrier | undefined>;
  lookUp: (question: { workspace: string; user: string; query: string }) => Promise<LookedUp>;
  findForIntervention: (who: Omit<Intervening, 'step'>) => ReturnType<typeof findForIntervention>;
  vote: (request: RecordRef, cast: Cast) => Promise<Voted>;
  mayVote: (request: RecordRef, cast: Cast) => Promise<Voted>;
  react: (reacting: Reacting) => Promise<Reacted>;
  giveReason: (given: Parameters<typeof giveReason>[1]) => Promise<ReasonGiven>;
  mayGiveReason: (who: Parameters<typeof mayGiveReason>[1]) => Promise<ReasonGiven>;
  channelMoved: (which: { workspace: string; from: string; to: string }) => Promise<void>;
  sharingChanged: (where: { workspace: string; channel: string }) => Promise<void>;
  sharingOf: (where: { workspace: string; channel: string }) => Promise<Sharing>;
  /** Changes whose approval a kind of request needs, or says what is wrong with it. */
  changePolicy: (whose: ChangingPolicy, draft: PolicyDraft) => Promise<PolicyChanged>;
  intervene: (who: Intervening, act: PersonAct) => Promise<Intervened>;
  connect: (connecting: Connecting) => Promise<Connected>;
  planConnect: (workspace: string) => Promise<ConnectPlan>;
  planDisconnect: (workspace: string) => Promise<DisconnectPlan>;
  disconnect: (workspace: string) => Promise<Disconnected>;
  /** @throws where it could not be written down */
  noteDeparture: (told: Told) => Promise<void>;
  subBrands: (workspace: string) => Promise<FoundSubBrands>;
  readHistory: (question: HistoryQuestion) => Promise<HistoryPage>;
  settings: (workspace: string) => Promise<Settings>;
  saveSettings: SettingsStore['save'];
  directory: SlackDirectory;
  /** The bot's client in another workspace; undefined where it is not installed there. */
  installedIn: (workspace: string) => Promise<webApi.WebClient | undefined>;
  links: Links;
  log: Log;
};

type HistoryQuestion = Parameters<typeof readHistory>[1];

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type OptionsArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;
/** @template Name of the events that a listener hears */
export type EventArgs<Name extends EventName> = SlackEventMiddlewareArgs<Name> & AllMiddlewareArgs;

export type Listener<Args> = (args: Args) => Promise<void>;

/** The workspace that Bolt has authorized. */
export function workspaceOf({ teamId }: AllMiddlewareArgs['context']): string {
  if (!teamId) throw new Error('Slack named no workspace.');
  return teamId;
}

export async function isAdmin(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  user: string,
): Promise<boolean> {
  return mayAdminister(await directory.person(workspace, user));
}

/** What the bot wrote into a button. */
export function buttonValue(action: object): string {
  return 'value' in action && typeof action.value === 'string' ? action.value : '';
}
