import { type ModalSeen, seeModal } from '../../slack/people/form/see-modal.ts';
import { openViews } from '../../slack/views/modal.ts';
import { isChannelVisible } from '../../slack/world/channels.ts';
import { isReplyOf } from '../../slack/world/messages.ts';
import type { Channel, Ephemeral, Message, User } from '../../slack/world/types.ts';
import type { World } from '../../slack/world/world.ts';
import { installPath } from '../server/serve-install.ts';
import { conversationName, type Offers, offersOf } from './offers.ts';
import type { ReadMarks } from './read-marks.ts';
import { ephemeralsFor, type MessageSeen, seeMessages } from './see-messages.ts';
import { type PersonSeen, seePeople, seePerson } from './see-people.ts';
import { seeWorkspaces, type WorkspaceSeen } from './see-workspaces.ts';

/** A conversation in the sidebar. */
export type ConversationSeen = {
  id: string;
  /** `#support`, or of a direct message the name of the other. */
  name: string;
  kind: Channel['kind'] | 'app';
  isArchived: boolean;
  /** Other companies are in it, too. */
  isShared: boolean;
  isMember: boolean;
  isUnread: boolean;
  /** How many unread messages mention the person. */
  mentions: number;
};

/** Names for the ids that texts mention. */
export type Names = {
  users: Record<string, string>;
  channels: Record<string, string>;
  groups: Record<string, string>;
};

/** What one person sees of the workspace, in the conversation that they have open. */
export type Sight = {
  me: PersonSeen;
  team: string;
  /** Those whom one can act as; where one can change the workspace, those of this one. */
  people: PersonSeen[];
  /** Those that one can change to; none where it is about one alone. */
  workspaces: WorkspaceSeen[];
  /** Where the app can be installed in this workspace; null where it is, or where that is not the page's matter. */
  installUrl: string | null;
  conversations: ConversationSeen[];
  open: { conversation: ConversationSeen; messages: MessageSeen[] } | null;
  modal: (ModalSeen & { offers: Offers }) | null;
  names: Names;
};

/** What is looked at. */
type Lookout = {
  world: World;
  reads: ReadMarks;
  /** The app's own page for installing it, where that can be done. */
  installUrl?: string | undefined;
};

/** Looks through a person's eyes; what they have open is read by that. Another conversation opens where they don't see the wanted one. */
export function look({ world, reads, installUrl }: Lookout, user: User, wanted: string | undefined): Sight {
  const visible = [...world.channels.values()].filter((each) => isListed(each, user));
  const channel =
    visible.find(({ id }) => id === wanted) ?? visible.find(({ members }) => members.has(user.id));
  if (channel) reads.mark(user.id, channel.id, world.nextTs());
  const see = (each: Channel) => seeConversation(world, reads, user, each);
  return {
    me: seePerson(world, user),
    team: world.teams.get(user.team_id)?.name ?? user.team_id,
    people: seePeople(world).filter(({ workspace }) => !installUrl || workspace === user.team_id),
    ...(installUrl ? seeChoice(world, user) : { workspaces: [], installUrl: null }),
    conversations: visible.map(see),
    open: channel ? { conversation: see(channel), messages: seeMessages(world, channel, user) } : null,
    modal: lookAtModal(world, user),
    names: namesFor(world, visible),
  };
}

function seeChoice(world: World, { id, team_id }: User): Pick<Sight, 'workspaces' | 'installUrl'> {
  const workspaces = seeWorkspaces(world);
  const isInstalled = workspaces.find((each) => each.id === team_id)?.isInstalled;
  return { workspaces, installUrl: isInstalled ? null : installPath({ user: id, place: team_id }) };
}

const isListed = (channel: Channel, user: User) =>
  isChannelVisible(channel, user) && (!channel.is_archived || channel.members.has(user.id));

function lookAtModal(world: World, user: User): Sight['modal'] {
  const seen = seeModal(world, user.id);
  const top = openViews(world, user.id).at(-1);
  return seen && top ? { ...seen, offers: offersOf(world, user, top.definition.blocks) } : null;
}

function seeConversation(world: World, reads: ReadMarks, user: User, channel: Channel): ConversationSeen {
  const unread = [...channel.messages.values(), ...ephemeralsFor(world, channel, user)].filter(
    (each) => isOfOthers(each, user) && reads.isUnread(user.id, channel.id, each.ts),
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

/** What somebody else said; what was deleted is not said any more. */
const isOfOthers = (message: Message | Ephemeral, { id }: User) =>
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
