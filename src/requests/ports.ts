/** What the core needs from the world. Adapters implement these; app.ts joins them. Whatever throws here is a fault. */
import type { Answer } from './cause.ts';
import type { Found, Posting, Updating } from './delivery.ts';
import type { Notice } from './notice.ts';
import type { RequestRecord, Step } from './record.ts';
import type { RecordRef, RecordStore } from './record-store.ts';

export type RequestStore = RecordStore<RequestRecord>;

export type NoticeStore = RecordStore<Notice>;

/** Tells what the order service announced and nobody asked for. Neither of these throws. */
export type Notifier = {
  post(notice: Notice): Promise<Posting>;
  find(notice: Notice): Promise<Found>;
};

/** The one outside act that can't be taken back. It never throws: what it can't tell is an answer of its own. */
export type OrderCalls = {
  carryOut(record: RequestRecord): Promise<Answer>;
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
  | { type: 'refused'; code: string };

export type SubBrand = { id: string; name: string };

export type SubBrandList =
  | { type: 'found'; brands: SubBrand[] }
  | { type: 'none' }
  | { type: 'refused'; status: number | undefined; code: string; message: string }
  /** The service could not be reached, or gave no answer that can be read. */
  | { type: 'unreachable' };

/** The words and pictures in Slack. `step` undefined: the card. None of these throws. */
export type Messenger = {
  postCard(record: RequestRecord): Promise<Posting>;
  updateCard(record: RequestRecord): Promise<Updating>;
  postReply(record: RequestRecord, step: Step): Promise<Posting>;
  find(record: RequestRecord, step?: Step): Promise<Found>;
  /** Takes back a message that another owner has posted too. */
  remove(record: RequestRecord, message: { channel: string; ts: string }): Promise<void>;
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
  /** Undefined where the bot can't see it: it does not exist, or it is private and the bot was not invited. */
  channel(workspace: string, channel: string): Promise<Channel | undefined>;
  isChannelMember(workspace: string, channel: string, user: string): Promise<boolean>;
};

export type Settings = {
  /** The user group that may ask; undefined: all full members. */
  askers?: string | undefined;
  notificationsChannel?: string | undefined;
  /** Offered for choice where a reason is asked for; undefined: the usual ones. */
  reasons?: readonly string[] | undefined;
  /** What the ids of orders look like (id-pattern.ts). */
  orderIdPattern?: string | undefined;
};

export type Workspaces = {
  isConnected(workspace: string): Promise<boolean>;
  settings(workspace: string): Promise<Settings>;
};

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;

/** Tells the runner that a record owes something. It returns at once and never throws. */
export type Trigger = (ref: RecordRef) => void;
