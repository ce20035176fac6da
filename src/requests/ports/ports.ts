/** What the core needs from the world. Adapters implement these; src/compose joins them. Whatever throws here is a fault. */

import type { VoterProblem } from '../model/approvals/approval.ts';
import type { Policy } from '../model/approvals/policy.ts';
import type { Answer } from '../model/cause.ts';
import type { Destination, Found, Posting, Tidied, Updating } from '../model/delivery.ts';
import type { TokenVerdict } from '../model/facts/token-verdict.ts';
import type { Kind } from '../model/kinds.ts';
import type { Telling } from '../model/message-key.ts';
import type { RequestRecord } from '../model/record.ts';
import type { Notice, TokenNotice } from '../model/workspace-notification.ts';
import type { RecordRef, RecordStore } from './record-store.ts';

export type RequestStore = RecordStore<RequestRecord>;

export type NoticeStore = RecordStore<Notice>;

/** Tells what nobody waits for: what the order service announced unasked, and that a token is refused. None of it throws. */
export type Notifier = {
  post(notice: Notice, guard: ClaimGuard): Promise<Posting>;
  find(notice: Notice, guard: ClaimGuard): Promise<Found>;
  /** Removes all copies of its message but one. */
  tidy(notice: Notice, guard: ClaimGuard): Promise<Tidied>;
  /** The members who are to hear of it. */
  addressees(notice: TokenNotice, guard: ClaimGuard): Promise<Addressees>;
};

export type Addressees =
  | { type: 'found'; people: string[] }
  | { type: 'refused'; code: string }
  | { type: 'later'; code: string; retryAfterMs?: number };

/**
 * Whether an effect may still be performed. A process can be frozen between any two instructions, and another one takes
 * over once the claim has expired.
 */
export type ClaimGuard = {
  /** Asked in the tick in which a request is written to its socket: whether the claim still covers it. */
  inTime: () => boolean;
  /** Whether the stored record still carries the claim. @throws where the storage can't be read */
  isHeld: () => Promise<boolean>;
};

/** The one outside act that can't be taken back. It never throws: what it can't tell is an answer of its own. */
export type OrderCalls = {
  carryOut(record: RequestRecord, guard: ClaimGuard): Promise<Answer>;
};

/** `token_refused`: the service did not accept the token, and nobody has connected the workspace again since. */
export type ConnectionState = 'connected' | 'not_connected' | 'token_refused';

/** A workspace's token, and of which of its connections it is. */
export type HeldToken = { workspace: string; generation: string; token: string; kind: 'rest' | 'graphql' };

export type Tokens = {
  /** @throws where it can't be read */
  take(workspace: string): Promise<HeldToken | Exclude<ConnectionState, 'connected'>>;
  /** What the service said of it. It never throws: the answer to the call is worth more. */
  note(token: HeldToken, verdict: TokenVerdict): Promise<void>;
};

/** What a call that changes nothing told about a token. Only `refused` (401) is a no. */
export type TokenCheck =
  | { type: 'accepted' }
  | { type: 'refused' }
  /** The service knows the token, and does not allow it this call. */
  | { type: 'limited'; code: string }
  /** The service answered with something that says nothing of the token. */
  | { type: 'unverified'; code: string }
  | { type: 'unreachable' };

/** What came of asking the service to revoke a token. `dead`: it did not know the token any more. */
export type Revocation =
  | { type: 'revoked' }
  | { type: 'dead' }
  | { type: 'unreachable' }
  | { type: 'refused'; code: string }
  /** Turned away unread. */
  | { type: 'rate_limited'; retryAfterMs?: number }
  /** It may have been done: asked again, the service does not know the token any more. */
  | { type: 'unknown'; code: string; error: Error };

export type SubBrand = { id: string; name: string };

export type SubBrandList =
  | { type: 'found'; brands: SubBrand[] }
  | { type: 'none' }
  | { type: 'refused'; status: number | undefined; code: string; message: string }
  | { type: 'rate_limited'; retryAfterMs?: number }
  /** The service could not be reached, or gave no answer that can be read. */
  | { type: 'unreachable' | 'failed'; error: Error };

/** The reactions that stand on a message, with whoever made them. `gone`: nobody can see it any more. */
export type Reactions =
  | { type: 'read'; standing: { emoji: string; users: readonly string[] }[] }
  | { type: 'gone'; code: string }
  | { type: 'later'; code: string; retryAfterMs?: number };

/** Why the vote of each person does not count at this moment; of somebody whose vote counts, there is no entry. */
export type VoterRights =
  | { type: 'read'; problems: ReadonlyMap<string, VoterProblem> }
  | { type: 'later'; code: string; retryAfterMs?: number };

/** The words and pictures in Slack. None of these throws. */
export type Messenger = {
  post(record: RequestRecord, telling: Telling, guard: ClaimGuard): Promise<Posting>;
  update(record: RequestRecord, telling: Telling, guard: ClaimGuard): Promise<Updating>;
  find(record: RequestRecord, telling: Telling, guard: ClaimGuard): Promise<Found>;
  /** Removes all copies of a message but one. `to`: of a reply, where they may stand. */
  tidy(
    record: RequestRecord,
    copies: { telling: Telling; to: Destination | undefined },
    guard: ClaimGuard,
  ): Promise<Tidied>;
  /** Of the message that approvers react to. */
  readReactions(record: RequestRecord, guard: ClaimGuard): Promise<Reactions>;
  /** Of people who have voted, as Slack says it now: nothing that is remembered, but for a few seconds. */
  readVoterRights(record: RequestRecord, voters: readonly string[], guard: ClaimGuard): Promise<VoterRights>;
  /** Removes another copy of a message, unless people have reacted or replied to it. @returns whether it is gone */
  remove(record: RequestRecord, message: { channel: string; ts: string }): Promise<boolean>;
};

/** A member as Slack describes them at this moment. */
export type Person = {
  id: string;
  /** False for people of another company, who are here through a shared channel. */
  ownTeam: boolean;
  isBot: boolean;
  isDeactivated: boolean;
  isGuest: boolean;
  isAdmin: boolean;
  /** As people read it; undefined where Slack gives none. */
  name?: string;
};

export type Channel = {
  id: string;
  isPrivate: boolean;
  isShared: boolean;
  isArchived: boolean;
  isMember: boolean;
};

/** Who and what there is in a workspace. What opens a door is cached for at most a minute, what closes one is not. */
export type Directory = {
  person(workspace: string, user: string): Promise<Person | undefined>;
  /** Undefined where the group is gone or can't be read: then nobody is known to be in it. */
  isInGroup(workspace: string, group: string, user: string): Promise<boolean | undefined>;
  /**
   * Undefined where the bot can't see it: it does not exist, or it is private and the bot was not invited.
   *
   * @param needs what else the door hangs on: one that is not private is not cached then
   */
  channel(workspace: string, channel: string, needs?: 'private'): Promise<Channel | undefined>;
  /** The same as it is now, or was less than so many milliseconds ago: for what must not be shown to another company. */
  channelNow(workspace: string, channel: string, maxAgeMs?: number): Promise<Channel | undefined>;
  /** Whether the bot may post messages at all, as it is now. @throws where Slack does not accept its token */
  mayPost(workspace: string): Promise<boolean>;
  isChannelMember(workspace: string, channel: string, user: string): Promise<boolean>;
  /** The members of a user group; undefined where it is gone or can't be read. */
  groupMembers(workspace: string, group: string): Promise<readonly string[] | undefined>;
  /** Members of a channel, a thousand of them at most; undefined where the bot can't see it. */
  channelMembers(workspace: string, channel: string): Promise<readonly string[] | undefined>;
};

/** The people, groups and channels of it alone: what the approvers are found by. */
export type PeopleDirectory = Omit<Directory, 'mayPost'>;

export type Settings = {
  /** The user group that may ask; undefined: all full members. */
  askers?: string | undefined;
  notificationsChannel?: string | undefined;
  /** Offered for choice where a reason is asked for; undefined: the usual ones. */
  reasons?: readonly string[] | undefined;
  /** Whether requests may be posted in channels that are shared with another company; undefined: no. */
  sharedChannels?: boolean | undefined;
  /** What the ids of orders look like (id-pattern.ts). */
  orderIdPattern?: string | undefined;
  /** Whose approval a kind of request needs; a kind that is not named needs none. */
  policies?: { readonly [K in Kind]?: Policy | undefined } | undefined;
};

export type Workspaces = {
  connection(workspace: string): Promise<ConnectionState>;
  settings(workspace: string): Promise<Settings>;
};

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;

/** Tells the runner that a record owes something. It returns at once and never throws. */
export type Trigger = (ref: RecordRef) => void;
