/** The messages of a conversation, what their selects offer, and which of them a person has read. */
import { type Block, statefulElements } from '../../slack/blocks/blocks.ts';
import type { StatefulElement } from '../../slack/blocks/elements.ts';
import { offeredUsers } from '../../slack/people/form/fields.ts';
import { offeredConversations } from '../../slack/views/state.ts';
import { installationOfBot } from '../../slack/world/app/installations.ts';
import { ephemeralsFor, isReplyOf, repliesOf } from '../../slack/world/messages.ts';
import type { Channel, Ephemeral, Message, User } from '../../slack/world/types.ts';
import { isOfOtherCompany } from '../../slack/world/users.ts';
import { placeWith } from '../../slack/world/workspaces.ts';
import { compareTs, type World } from '../../slack/world/world.ts';

/** Returns the messages that a person sees in a conversation, threads included, oldest first. */
export function viewMessages(world: World, channel: Channel, user: User): MessageSeen[] {
  return [...channel.messages.values(), ...ephemeralsFor(world, user.id, channel.id)]
    .sort((one, other) => compareTs(one.ts, other.ts))
    .map((each) => seeMessage(world, channel, user, each));
}

export type MessageSeen = ReturnType<typeof seeMessage>;

function seeMessage(world: World, channel: Channel, user: User, message: Message | Ephemeral) {
  const { ts, text, blocks, thread_ts } = message;
  const kept = 'reactions' in message ? message : undefined;
  const isReply = kept ? isReplyOf(kept) : thread_ts !== undefined;
  return {
    ts,
    author: authorOf(world, user, message),
    text,
    ...(blocks && { blocks }),
    /** The `ts` of the parent, in a reply. */
    ...(isReply && thread_ts !== undefined && { reply_to: thread_ts }),
    isTombstone: kept?.is_tombstone === true,
    /** Whether it is ephemeral: nobody else sees it, and nobody can react or reply to it. */
    isOnlyVisibleToYou: kept === undefined,
    replies: kept && !isReply ? seeReplies(channel, ts) : null,
    reactions: [...(kept?.reactions ?? [])].map(([name, users]) => ({ name, users })),
    offers: offersOf(world, user, blocks ?? []),
  };
}

function seeReplies(channel: Channel, ts: string) {
  const replies = repliesOf(channel, ts);
  const latest = replies.at(-1);
  return latest ? { count: replies.length, latest: latest.ts } : null;
}

function authorOf(world: World, viewer: User, message: Message | Ephemeral) {
  const id = 'reactions' in message ? message.user : botUserOf(world, message.bot_id);
  const user = world.users.get(id);
  const isForeign = user !== undefined && isOfOtherCompany(world, viewer.team_id, user);
  return {
    id,
    name: nameOf(world, id),
    isApp: user?.is_bot ?? true,
    ...(isForeign && { company: placeWith(world, user.team_id)?.name ?? user.team_id }),
  };
}

const SLACKBOT = 'USLACKBOT';

function botUserOf(world: World, bot_id: string | undefined): string {
  const app = bot_id === undefined ? undefined : installationOfBot(world, bot_id);
  return app?.bot_user_id ?? SLACKBOT;
}

const nameOf = (world: World, id: string) =>
  id === SLACKBOT ? 'Slackbot' : (world.users.get(id)?.real_name ?? id);

/** The options that Slack itself offers in selects of people and conversations, by `block_id/action_id`. */
export type Offers = Record<string, { value: string; label: string }[]>;

export function offersOf(world: World, user: User, blocks: readonly Block[]): Offers {
  const needed = statefulElements(blocks).flatMap(({ block, element }) => {
    const offered = offeredIn(world, user, element);
    return offered ? [[`${block.block_id}/${element.action_id}`, offered] as const] : [];
  });
  return Object.fromEntries(needed);
}

function offeredIn(world: World, user: User, element: StatefulElement): Offers[string] | undefined {
  switch (element.type) {
    case 'conversations_select':
      return offeredConversations(world, user, element).map((each) => ({
        value: each.id,
        label: conversationName(world, user, each),
      }));
    case 'users_select':
    case 'multi_users_select':
      return offeredUsers(world, user).map(({ id, real_name }) => ({ value: id, label: real_name }));
    default:
      return undefined;
  }
}

/** `#support`, or the name of the other person in a direct message. */
export function conversationName(world: World, user: User, { kind, name, members }: Channel): string {
  if (kind !== 'im') return `#${name}`;
  const other = [...members].find((id) => id !== user.id) ?? user.id;
  return world.users.get(other)?.real_name ?? other;
}

export type ReadMarks = ReturnType<typeof createReadMarks>;

/** Creates the marks. Nothing before `start` is unread to anybody. */
export function createReadMarks(start: string) {
  const marks = new Map<string, string>();
  const key = (person: string, conversation: string) => `${person}/${conversation}`;
  return {
    mark: (person: string, conversation: string, ts: string) => void marks.set(key(person, conversation), ts),
    isUnread: (person: string, conversation: string, ts: string) =>
      compareTs(ts, marks.get(key(person, conversation)) ?? start) > 0,
  };
}
