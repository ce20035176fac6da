/** The workspace as one person sees it, with the conversation that they have open. */
import { HOME } from '../../slack/people/context.ts';
import { type HomeSeen, type ModalSeen, seeHome, seeModal } from '../../slack/people/seen.ts';
import { installationServing } from '../../slack/world/app/installations.ts';
import { isChannelVisible } from '../../slack/world/channels.ts';
import { ephemeralsFor, isReplyOf } from '../../slack/world/messages.ts';
import type { Channel, Ephemeral, Message, User } from '../../slack/world/types.ts';
import { isExternallyShared, userOf } from '../../slack/world/users.ts';
import type { World } from '../../slack/world/world.ts';
import { conversationName, offersOf, type ReadMarks, viewMessages } from './messages.ts';
import {
  installPath,
  type PersonSeen,
  viewPeople,
  viewPerson,
  viewWorkspaces,
  type WorkspaceSeen,
} from './people.ts';

type ViewerContext = {
  world: World;
  reads: ReadMarks;
  /** The app's install page, if the page offers installing. */
  installUrl?: string | undefined;
};

export type WorkspaceViewModel = ReturnType<typeof viewWorkspace>;

/**
 * Returns the workspace as a person sees it, and marks the open conversation as read. Another conversation opens if they
 * can't see the wanted one; none is open while they are in the Home tab of the app.
 */
export function viewWorkspace(
  { world, reads, installUrl }: ViewerContext,
  user: User,
  wanted: string | undefined,
) {
  const visible = [...world.channels.values()].filter((each) => isListed(each, user));
  const channel =
    wanted === HOME
      ? undefined
      : (visible.find(({ id }) => id === wanted) ?? visible.find(({ members }) => members.has(user.id)));
  if (channel) reads.mark(user.id, channel.id, world.nextTs());
  const see = (each: Channel) => viewConversation(world, reads, user, each);
  return {
    me: viewPerson(world, user),
    /** The people to act as; with a workspace switcher, those of this workspace. */
    people: viewPeople(world).filter(({ workspace }) => !installUrl || workspace === user.team_id),
    ...(installUrl ? viewInstallChoice(world, user) : NO_CHOICE),
    conversations: visible.map(see),
    open: channel ? { conversation: see(channel), messages: viewMessages(world, channel, user) } : null,
    modal: withOffers(world, user, seeModal(world, user.id)),
    /** The page in the Home tab of the app; null: it has published none. */
    home: withOffers(world, user, seeHome(world, user)),
    /** The app, if it is installed for the person's workspace: like a person, it can be mentioned. */
    app: viewApp(world, user),
    names: namesFor(world, visible),
  };
}

/** Returns the app, which is mentioned by the name that it shows; null if none is installed. */
function viewApp(world: World, { team_id }: User): PersonSeen | null {
  const serving = installationServing(world, team_id);
  if (serving?.status !== 'active') return null;
  const bot = userOf(world, serving.bot_user_id);
  return { ...viewPerson(world, bot), name: bot.real_name };
}

/** Returns the workspaces of the switcher, and the path that installs the app in this one; null if it is installed there. */
function viewInstallChoice(world: World, { id, team_id }: User) {
  const workspaces = viewWorkspaces(world);
  const isInstalled = workspaces.find((each) => each.id === team_id)?.isInstalled;
  return { workspaces, installUrl: isInstalled ? null : installPath({ user: id, place: team_id }) };
}

const isListed = (channel: Channel, user: User) =>
  isChannelVisible(channel, user) && (!channel.is_archived || channel.members.has(user.id));

const NO_CHOICE = { workspaces: [] as WorkspaceSeen[], installUrl: null };

function withOffers<Seen extends ModalSeen | HomeSeen>(world: World, user: User, seen: Seen | undefined) {
  return seen ? { ...seen, offers: offersOf(world, user, seen.view.blocks) } : null;
}

export type ConversationSeen = ReturnType<typeof viewConversation>;

function viewConversation(world: World, reads: ReadMarks, user: User, channel: Channel) {
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
    isShared: isExternallyShared(world, channel),
    isMember,
    isUnread: isMember && (mentioned > 0 || unread.some((each) => !isReply(each))),
    mentions: mentioned,
  };
}

/** Whether somebody else posted the message; a deleted message does not count. */
const isByOthers = (message: Message | Ephemeral, { id }: User) =>
  !('reactions' in message) || (message.user !== id && !message.is_tombstone);

const isReply = (message: Message | Ephemeral) => 'reactions' in message && isReplyOf(message);

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

export type Names = ReturnType<typeof namesFor>;

function namesFor({ users, userGroups }: World, visible: Channel[]) {
  return {
    users: Object.fromEntries([...users.values()].map(({ id, real_name }) => [id, real_name])),
    channels: Object.fromEntries(visible.map(({ id, name }) => [id, name])),
    groups: Object.fromEntries([...userGroups.values()].map(({ id, handle }) => [id, handle])),
  };
}
