import { HOME } from '../../slack/people/context.ts';
import { type HomeSeen, type ModalSeen, seeHome, seeModal } from '../../slack/people/seen.ts';
import { openViews } from '../../slack/views/views.ts';
import { installationServing } from '../../slack/world/app/installations.ts';
import { isChannelVisible } from '../../slack/world/channels.ts';
import { ephemeralsFor, isReplyOf } from '../../slack/world/messages.ts';
import type { Channel, Ephemeral, Message, User } from '../../slack/world/types.ts';
import { userOf } from '../../slack/world/users.ts';
import type { World } from '../../slack/world/world.ts';
import {
  conversationName,
  type MessageSeen,
  type Offers,
  offersOf,
  type ReadMarks,
  viewMessages,
} from './messages.ts';
import {
  installPath,
  type PersonSeen,
  viewPeople,
  viewPerson,
  viewWorkspaces,
  type WorkspaceSeen,
} from './people.ts';

/** A conversation in the sidebar. */
export type ConversationSeen = {
  id: string;
  /** `#support`, or the name of the other person in a direct message. */
  name: string;
  kind: Channel['kind'] | 'app';
  isArchived: boolean;
  /** Whether other companies are members, too. */
  isShared: boolean;
  isMember: boolean;
  isUnread: boolean;
  /** The number of unread messages that mention the person. */
  mentions: number;
};

/** Names for the ids that texts mention. */
export type Names = {
  users: Record<string, string>;
  channels: Record<string, string>;
  groups: Record<string, string>;
};

/** The workspace as one person sees it, with the conversation that they have open. */
export type WorkspaceViewModel = {
  me: PersonSeen;
  team: string;
  /** The people to act as; with a workspace switcher, those of this workspace. */
  people: PersonSeen[];
  /** The workspaces of the switcher; empty if there is only one. */
  workspaces: WorkspaceSeen[];
  /** The path that installs the app in this workspace; null if it is installed, or if the page does not offer installing. */
  installUrl: string | null;
  conversations: ConversationSeen[];
  open: { conversation: ConversationSeen; messages: MessageSeen[] } | null;
  modal: (ModalSeen & { offers: Offers }) | null;
  /** The page in the Home tab of the app; null: it has published none. */
  home: (HomeSeen & { offers: Offers }) | null;
  /** The app, if it is installed for the person's workspace: like a person, it can be mentioned. */
  app: PersonSeen | null;
  names: Names;
};

/** The world and the settings that a person's view is made from. */
type ViewerContext = {
  world: World;
  reads: ReadMarks;
  /** The app's install page, if the page offers installing. */
  installUrl?: string | undefined;
};

/**
 * Returns the workspace as a person sees it, and marks the open conversation as read. Another conversation opens if they
 * can't see the wanted one; none is open while they are in the Home tab of the app.
 */
export function viewWorkspace(
  { world, reads, installUrl }: ViewerContext,
  user: User,
  wanted: string | undefined,
): WorkspaceViewModel {
  const visible = [...world.channels.values()].filter((each) => isListed(each, user));
  const channel =
    wanted === HOME
      ? undefined
      : (visible.find(({ id }) => id === wanted) ?? visible.find(({ members }) => members.has(user.id)));
  if (channel) reads.mark(user.id, channel.id, world.nextTs());
  const see = (each: Channel) => viewConversation(world, reads, user, each);
  return {
    me: viewPerson(world, user),
    team: world.teams.get(user.team_id)?.name ?? user.team_id,
    people: viewPeople(world).filter(({ workspace }) => !installUrl || workspace === user.team_id),
    ...(installUrl ? viewInstallChoice(world, user) : { workspaces: [], installUrl: null }),
    conversations: visible.map(see),
    open: channel ? { conversation: see(channel), messages: viewMessages(world, channel, user) } : null,
    modal: viewModal(world, user),
    home: viewHome(world, user),
    app: viewApp(world, user),
    names: namesFor(world, visible),
  };
}

/** An app is mentioned by the name that it shows. */
function viewApp(world: World, { team_id }: User): PersonSeen | null {
  const serving = installationServing(world, team_id);
  if (serving?.status !== 'active') return null;
  const bot = userOf(world, serving.bot_user_id);
  return { ...viewPerson(world, bot), name: bot.real_name };
}

function viewInstallChoice(
  world: World,
  { id, team_id }: User,
): Pick<WorkspaceViewModel, 'workspaces' | 'installUrl'> {
  const workspaces = viewWorkspaces(world);
  const isInstalled = workspaces.find((each) => each.id === team_id)?.isInstalled;
  return { workspaces, installUrl: isInstalled ? null : installPath({ user: id, place: team_id }) };
}

const isListed = (channel: Channel, user: User) =>
  isChannelVisible(channel, user) && (!channel.is_archived || channel.members.has(user.id));

function viewModal(world: World, user: User): WorkspaceViewModel['modal'] {
  const seen = seeModal(world, user.id);
  const top = openViews(world, user.id).at(-1);
  return seen && top ? { ...seen, offers: offersOf(world, user, top.definition.blocks) } : null;
}

function viewHome(world: World, user: User): WorkspaceViewModel['home'] {
  const seen = seeHome({ world }, user);
  return seen ? { ...seen, offers: offersOf(world, user, seen.view.blocks) } : null;
}

function viewConversation(world: World, reads: ReadMarks, user: User, channel: Channel): ConversationSeen {
  const unread = [...channel.messages.values(), ...ephemeralsFor(world, user.id, channel.id)].filter(
    (each) => isByOthers(each, user) && reads.isUnread(user.id, channel.id, each.ts),
  );
  const isMember = channel.members.has(user.id);
  const mentioned = unread.filter((each) => mentions(world, each, user)).length;
  return {
    id: channel.id,
    name: conversationName(world, user, channel),
    kind: isWithApp(world, channel) ? 'app' : channel.kind,
    isArchived: channel.is_archived,
    isShared: channel.connected_team_ids.length > 0,
    isMember,
    isUnread: isMember && (mentioned > 0 || unread.some((each) => !isReply(each))),
    mentions: mentioned,
  };
}

/** Whether somebody else posted the message; a deleted message does not count. */
const isByOthers = (message: Message | Ephemeral, { id }: User) =>
  !('reactions' in message) || (message.user !== id && !message.is_tombstone);

const isReply = (message: Message | Ephemeral) =>
  'reactions' in message && isReplyOf(message) && message.reply_broadcast !== true;

/** Whether a message names the person, a user group that they are in, or everybody: in mrkdwn, or in rich text. */
function mentions(world: World, { text, blocks }: Message | Ephemeral, { id }: User): boolean {
  const groups = [...world.userGroups.values()].filter(({ users }) => users.includes(id));
  const ids = [id, ...groups.map((group) => group.id)].join('|');
  const mrkdwn = new RegExp(`<(?:@|!subteam\\^)(?:${ids})[|>]|<!(?:here|channel|everyone)>`);
  const richText = new RegExp(`"(?:user|usergroup)_id":"(?:${ids})"|"type":"broadcast"`);
  const all = JSON.stringify(blocks ?? []);
  return mrkdwn.test(text) || mrkdwn.test(all) || richText.test(all);
}

const isWithApp = (world: World, { kind, members }: Channel) =>
  kind === 'im' && [...members].some((id) => world.users.get(id)?.is_bot === true);

function namesFor(world: World, visible: Channel[]): Names {
  return {
    users: Object.fromEntries([...world.users.values()].map(({ id, real_name }) => [id, real_name])),
    channels: Object.fromEntries(visible.map(({ id, name }) => [id, name])),
    groups: Object.fromEntries([...world.userGroups.values()].map(({ id, handle }) => [id, handle])),
  };
}
