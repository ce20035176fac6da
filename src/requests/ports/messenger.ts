/** Declares the ports to the messages in Slack: those of requests, and notices that belong to none. */
import type {
  CopiesPlace,
  FindResult,
  Later,
  PostResult,
  TidyResult,
  UpdateResult,
} from '../../outbox/delivery.ts';
import type { ClaimGuard } from '../../outbox/ports.ts';
import type { AdminsNotice, Notice } from '../model/notices/notice.ts';
import type { ApproversProblem, VoterProblem } from '../model/policy.ts';
import type { RequestRecord } from '../model/record.ts';

/** The current reactions to a message and their authors. */
export type Reactions =
  | { type: 'read'; standing: { emoji: string; users: readonly string[] }[] }
  | Extract<UpdateResult, { type: 'gone' | 'out_of_reach' | 'later' }>;

/** The reason why each person's vote does not count at this moment. People whose vote counts have no entry. */
export type VoterRights = { type: 'read'; problems: ReadonlyMap<string, VoterProblem> } | Later;

/** The reason why the approvers who are left can't meet the policy; no problem: they can. */
type OtherApprovers = { type: 'read'; problem?: ApproversProblem | undefined } | Later;

/** Everything about a request's messages in Slack, and the votes on them. None of these methods throws. */
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

/** Posts notices that belong to no request: to the notifications channel, or to admins. Never throws. */
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
