/** Declares the ports of the core. Adapters implement them, and src/compose wires them. Whatever throws here is a fault. */
import type {
  CopiesPlace,
  FindResult,
  Later,
  PostResult,
  TidyResult,
  UpdateResult,
} from '../../outbox/delivery.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import type { RecordStore } from '../../outbox/record-store.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import type { Answer } from '../model/cause.ts';
import type { AdminsNotice, Notice } from '../model/notices/notice.ts';
import type { ApproversProblem, VoterProblem } from '../model/policy.ts';
import type { RecentRequests } from '../model/recent.ts';
import type { RequestRecord } from '../model/record.ts';
import type { TokenKind, TokenVerdict } from '../model/refusal.ts';
import type { InForce, Settings } from '../model/settings.ts';

export type RequestStore = RecordStore<RequestRecord>;

export type NoticeStore = RecordStore<Notice>;

/** Stores a record for each person who has made a request, under their id. */
export type RecentRequestsStore = RecordStore<RecentRequests>;

export type AuditStore = RecordStore<AuditEntry>;

/** Takes each entry of the audit trail out of the bot. @throws if it may not have been written as a whole */
export type AuditStream = { write(entry: AuditEntry): Promise<void> };

/**
 * Performs the call to the order service, the one effect that can't be undone (order-service/calls.ts, wrapped by breaker.ts
 * beside it). It never throws: uncertainty is an answer of its own.
 */
export type OrderCalls = {
  carryOut(record: RequestRecord, guard: ClaimGuard): Promise<Called>;
};

/** `err`: what went wrong, in the words of the service or the network, for the log alone; no token is in it. */
export type Called = { answer: Answer; err?: Error };

/** `token_refused`: the service refused the token, so calls are paused until it accepts it, or the next one. */
export type ConnectionState = 'connected' | 'not_connected' | 'token_refused';

/**
 * A workspace's token, and the generation of its connection. `phase`: identifies what was known of its refusals when it was
 * taken. `isTrial`: it was refused, and this call shows whether it is accepted again.
 */
export type HeldToken = {
  workspace: string;
  generation: string;
  token: string;
  kind: TokenKind;
  phase?: string | undefined;
  isTrial?: true;
};

/** Hands out workspaces' tokens, and records whether the service accepts them (workspaces/connection/tokens.ts). */
export type Tokens = {
  /** @throws if the token can't be read */
  take(workspace: string): Promise<HeldToken | Exclude<ConnectionState, 'connected'>>;
  /**
   * Records whether the service accepted the token. It never throws, because the result of the call matters more.
   *
   * @param verdict undefined: the service's answer, if there is one, does not tell
   */
  recordVerdict(token: HeldToken, verdict: TokenVerdict | undefined): Promise<void>;
};

/** The result of checking a token with a read-only call. Only `refused` (401) proves it invalid. */
export type TokenCheck =
  | { type: 'accepted' }
  | { type: 'refused' }
  /** The service knows the token, but does not allow it this call. */
  | { type: 'limited'; code: string }
  /** The service's answer says nothing about the token. */
  | { type: 'unverified'; code: string }
  /** The service gave no answer: it could not be reached, took too long, or the connection was lost. */
  | { type: 'unreachable' };

/** The result of revoking a token. `dead`: the service no longer knew the token. */
export type Revocation =
  | { type: 'revoked' }
  | { type: 'dead' }
  /** Nothing was sent; `not_sent`: because of a fault of ours. */
  | { type: 'unreachable' | 'not_sent'; error: Error }
  /** The answer was neither of the two that the interface shows, and the token was not refused when it was checked. */
  | { type: 'unknown'; code: string; error: Error };

/** @param guard that of the claim under which the token is revoked */
export type Revoke = (token: string, kind: TokenKind, guard: ClaimGuard) => Promise<Revocation>;

export type SubBrand = { id: string; name: string };

export type SubBrandList =
  | { type: 'found'; brands: SubBrand[] }
  | { type: 'none' }
  /** `code`: the service's own, if it gave one. */
  | { type: 'refused'; status: number; code: string | undefined; message: string | undefined }
  | { type: 'rate_limited'; retryAfterMs?: number }
  /** The service could not be reached, or its answer was unreadable. */
  | { type: 'unreachable' | 'failed'; error: Error };

/** A member, as Slack describes them at this moment. */
export type Person = {
  id: string;
  /** False for people of another company, who are present through a shared channel. */
  ownTeam: boolean;
  isBot: boolean;
  isDeactivated: boolean;
  isGuest: boolean;
  /** An admin or owner of the workspace or, if the bot is installed in the organization, of the organization. */
  isAdmin: boolean;
  /** The full name or, if Slack gives none, the display name; undefined if it gives neither. */
  name?: string;
  /** "Europe/Berlin"; undefined if Slack gives none. */
  timeZone?: string;
};

export type Channel = {
  id: string;
  isPrivate: boolean;
  isShared: boolean;
  isArchived: boolean;
  isMember: boolean;
};

/**
 * Reads the people, groups and channels of a workspace (slack/directory). Grants are cached for at most a minute. Denials that
 * decide are not cached, with two exceptions, so that nobody uses up Slack's reads by trying again and again: a person found not
 * to be in a group is refused for up to ten seconds without asking Slack (REFUSED_MS in slack/directory/remembered.ts), and one
 * whom Slack shows as of another company, or as a bot, for up to a minute.
 */
export type Directory = {
  person(workspace: string, user: string): Promise<Person | undefined>;
  /**
   * Undefined if the group is gone or unreadable, so that nobody is known to be a member.
   *
   * @param age 'remembered': the list of the last minute will do for a denial, too (`remembering` in use-cases/who-may.ts)
   */
  isInGroup(workspace: string, group: string, user: string, age?: 'remembered'): Promise<boolean | undefined>;
  /**
   * Undefined if the bot can't see the channel: it does not exist, or it is private and the bot was not invited.
   *
   * @param needs a further condition of the permission: a channel that does not meet it is not cached
   */
  channel(workspace: string, channel: string, needs?: 'private'): Promise<Channel | undefined>;
  /** Reads a channel like `channel`, at most `maxAgeMs` milliseconds old: for content that another company must not see. */
  channelNow(workspace: string, channel: string, maxAgeMs?: number): Promise<Channel | undefined>;
  /**
   * Whether the workspace is served by an installation of its organization. Its token does not tell who administers a
   * workspace.
   */
  isOrgWide(workspace: string): Promise<boolean>;
  /** Whether the bot may post messages at all. A yes may be a minute old. @throws if Slack does not accept its token */
  mayPost(workspace: string): Promise<boolean>;
  isChannelMember(workspace: string, channel: string, user: string): Promise<boolean>;
  /**
   * The members of a user group; undefined if the group is gone or unreadable.
   *
   * @param age 'remembered': as Slack listed them within the last minute, if it did
   */
  groupMembers(
    workspace: string,
    group: string,
    age?: 'remembered' | 'now',
  ): Promise<readonly string[] | undefined>;
  /** Members of a channel, a hundred or more if it has as many; undefined if the bot can't see it. */
  channelMembers(workspace: string, channel: string): Promise<readonly string[] | undefined>;
};

/** The part of the directory that finds approvers. */
export type PeopleDirectory = Omit<Directory, 'mayPost' | 'isOrgWide'>;

export type Workspaces = {
  connection(workspace: string): Promise<ConnectionState>;
  settings(workspace: string): Promise<Settings>;
  /** Reads the settings with their version: for forms, and for writes that depend on the settings. */
  inForce(workspace: string): Promise<InForce>;
};

/** The port for time and randomness. The simulation (test/simulate) decides both, and repeats them from a seed. */
export type Runtime = {
  /** Epoch milliseconds by the machine's clock, which may jump at any time. */
  now: () => number;
  /** Monotonic milliseconds, which go on while the process is frozen. */
  monotonic: () => number;
  /** Waits. With a signal, the wait does not keep the process alive. @throws if `signal` is aborted */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Yields to other work: SQLite answers synchronously, and would block it. */
  pause: () => Promise<void>;
  /** Runs something later, without keeping the process alive for it. @returns a function that cancels it */
  after: (ms: number, run: () => void) => () => void;
  /** A random number from 0 up to, but not including, 1. */
  random: () => number;
  uuid: () => string;
  /** Creates an unguessable secret. @param bytes the number of its random bytes @returns it as base64url */
  secret: (bytes: number) => string;
};

/** The current reactions to a message and their authors. */
export type Reactions =
  | { type: 'read'; standing: { emoji: string; users: readonly string[] }[] }
  | Extract<UpdateResult, { type: 'gone' | 'out_of_reach' | 'later' }>;

/** The reason why each person's vote does not count at this moment. People whose vote counts have no entry. */
export type VoterRights = { type: 'read'; problems: ReadonlyMap<string, VoterProblem> } | Later;

/** The reason why the approvers who are left can't meet the policy; no problem: they can. */
type OtherApprovers = { type: 'read'; problem?: ApproversProblem | undefined } | Later;

/**
 * Posts, updates, finds and tidies a request's messages in Slack, and reads the votes on them (slack/messages/messenger.ts). No
 * method throws.
 */
export type Messenger = {
  post(record: RequestRecord, messageKey: string, guard: ClaimGuard): Promise<PostResult>;
  update(record: RequestRecord, messageKey: string, guard: ClaimGuard): Promise<UpdateResult>;
  find(record: RequestRecord, messageKey: string, guard: ClaimGuard): Promise<FindResult>;
  /** Removes all copies of a message but one, in one place. */
  tidy(
    record: RequestRecord,
    copies: { messageKey: string } & CopiesPlace,
    guard: ClaimGuard,
  ): Promise<TidyResult>;
  /** Reads the reactions to the message that approvers react to. */
  readReactions(record: RequestRecord, guard: ClaimGuard): Promise<Reactions>;
  /** Reads whether voters may still vote; what Slack said is at most a few seconds old. */
  readVoterRights(record: RequestRecord, voters: readonly string[], guard: ClaimGuard): Promise<VoterRights>;
  /** Reads whether enough people are left to approve, besides who made the request, and who wants it sent again. */
  readOtherApprovers(record: RequestRecord, guard: ClaimGuard): Promise<OtherApprovers>;
};

/**
 * Posts notices that belong to no request (slack/messages/notifier.ts): to the notifications channel, or to admins. Never
 * throws.
 */
export type Notifier = {
  post(notice: Notice, guard: ClaimGuard): Promise<PostResult>;
  find(notice: Notice, guard: ClaimGuard): Promise<FindResult>;
  update(notice: Notice, guard: ClaimGuard): Promise<UpdateResult>;
  /** Removes all copies of its message but one. */
  tidy(notice: Notice, guard: ClaimGuard): Promise<TidyResult>;
  /** Finds the members to notify. */
  addressees(notice: AdminsNotice, guard: ClaimGuard): Promise<Addressees>;
};

export type Addressees = { type: 'found'; people: string[] } | { type: 'refused'; code: string } | Later;
