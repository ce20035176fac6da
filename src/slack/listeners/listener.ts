/** The ports that listeners get, the routes that a feature registers, and what listeners read of a payload. */
import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  types,
  ViewSubmitAction,
  webApi,
} from '@slack/bolt';
import { z } from 'zod';
import type { LimitPause, Log } from '../../outbox/ports.ts';
import type { Requests } from '../../requests/index.ts';
import type { Runtime } from '../../requests/ports/ports.ts';
import type { PolicyDraft } from '../../requests/use-cases/approvals/draft-policy.ts';
import type { Connected, Connecting, ConnectPlan } from '../../workspaces/connection/connect.ts';
import type { Disconnected, DisconnectPlan } from '../../workspaces/connection/disconnect.ts';
import type { PausedChecked } from '../../workspaces/connection/tokens.ts';
import { isOrganization } from '../../workspaces/installation/installation-record.ts';
import type { ReportedUninstall } from '../../workspaces/installation/uninstall-record.ts';
import type { ChangingPolicy, PolicyChanged, SettingsStore } from '../../workspaces/settings.ts';
import type { FoundSubBrands } from '../../workspaces/sub-brands.ts';
import { type Clicked, type FilledIn, readRef, validMoment } from '../blocks/forms.ts';
import type { PublishView } from '../client/clients.ts';
import { type Installations, NotInstalledError } from '../client/installation.ts';
import type { Links } from '../client/links.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import type { Redraw } from './redraw.ts';

/** The use cases that listeners call, and what they need to show the outcome. */
export type ListenerDeps = Requests & {
  /** Changes whose approval a kind of request needs, or returns the mistakes in the draft. */
  changePolicy: (whose: ChangingPolicy, draft: PolicyDraft) => Promise<PolicyChanged>;
  connect: (connecting: Connecting) => Promise<Connected>;
  planConnect: (workspace: string) => Promise<ConnectPlan>;
  planDisconnect: (workspace: string) => Promise<DisconnectPlan>;
  /** @param shown the generation of the connection that the admin has seen */
  disconnect: (workspace: string, by: string, shown?: string) => Promise<Disconnected>;
  checkPaused: (workspace: string) => Promise<PausedChecked>;
  /** @throws if it could not be stored */
  recordUninstall: (reported: ReportedUninstall) => Promise<void>;
  subBrands: (workspace: string) => Promise<FoundSubBrands>;
  settings: SettingsStore['read'];
  settingsInForce: SettingsStore['inForce'];
  saveSettings: SettingsStore['save'];
  directory: SlackDirectory;
  installations: Pick<Installations, 'hasOthers' | 'isBot' | 'workspacesOf'>;
  /** The bot in another workspace; undefined where it is not installed there. */
  installedIn: (workspace: string) => Promise<{ client: webApi.WebClient; botUserId: string } | undefined>;
  links: Links;
  /** The pauses of calls to Slack and to the order service that hold this workspace. */
  limitPauses: (workspace: string) => Promise<LimitPause[]>;
  /** Draws modals anew. All listeners share it, so that each modal is drawn by one of them at a time. */
  redraw: Redraw;
  /** Publishes a person's Home tab, in turn with those of others in the workspace. @throws if Slack refuses it */
  publishView: PublishView;
  monotonic: Runtime['monotonic'];
  after: Runtime['after'];
  log: Log;
};

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type ShortcutArgs = SlackShortcutMiddlewareArgs & AllMiddlewareArgs;
export type OptionsArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;
export type EventName = types.SlackEvent['type'];
export type EventArgs<Name extends EventName> = SlackEventMiddlewareArgs<Name> & AllMiddlewareArgs;

export type Listener<Args> = (args: Args) => Promise<void>;

/**
 * Part of the context of an event. `notLearnt`: the error because of which it is not known whether the workspace that Slack named
 * belongs to the organization.
 */
export type NotLearnt = { notLearnt?: unknown };

/**
 * The workspace in which a payload acts.
 *
 * @throws if Slack named none: a fault, because each payload is authorized by its workspace
 * @throws NotInstalledError for an event of an organization, if the workspace that Slack named does not belong to it
 *   (concerned.ts)
 * @throws `notLearnt` if that is not known: Slack must deliver the event again
 */
export function workspaceOf({ teamId, notLearnt }: AllMiddlewareArgs['context'] & NotLearnt): string {
  if (!teamId) throw new Error('Slack named no workspace.');
  if (isOrganization(teamId)) throw notLearnt ?? new NotInstalledError(teamId);
  return teamId;
}

/** The moment of a click, microseconds by Slack's clock; undefined if Slack did not tell it. */
export function momentOf(action: object): number | undefined {
  return 'action_ts' in action ? slackMoment(action.action_ts) : undefined;
}

/** Slack's timestamps ("1700000000.000100", seconds) as microseconds, exactly; undefined for any other value. */
export function slackMoment(ts: unknown): number | undefined {
  return typeof ts === 'string' ? validMoment(Math.round(Number(ts) * 1_000_000)) : undefined;
}

/** The request that a button names, as the person saw it, and the moment of the click. */
export const clickOn = (action: object): Clicked => ({
  ref: readRef(buttonValue(action)),
  moment: momentOf(action),
});

export function buttonValue(action: object): string {
  return 'value' in action && typeof action.value === 'string' ? action.value : '';
}

/** The request after which a page of a list begins. */
export const PageStart = z.object({ at: z.number(), id: z.string() });

/** Whether a view shows a field: forms leave out those that do not apply. @param block the id of the field */
export const isShown = ({ state: { values } }: FilledIn, block: string): boolean =>
  typeof values === 'object' && values !== null && block in values;

/**
 * A command, or a word after `/countermand`, with its line of the help: its arguments, and what it does. `run` acknowledges it;
 * `text` is what was typed after it.
 */
type Command = {
  usage: string;
  meaning: string;
  run: (args: CommandArgs, text: string) => Promise<void>;
};

export type Routes = {
  commands: Record<string, Command>;
  subcommands: Record<string, Command>;
  shortcuts: Record<string, Listener<ShortcutArgs>>;
  views: Record<string, Listener<ViewArgs>>;
  actions: Record<string, Listener<ActionArgs>>;
  options: Record<string, Listener<OptionsArgs>>;
  events: { [Name in EventName]?: Listener<EventArgs<Name>> };
};

export type Feature = (deps: ListenerDeps) => Partial<Routes>;
