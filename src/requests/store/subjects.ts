/** Names the lists from which requests and notices are found, by the subjects under which the store indexes them, and reads one. */
import { type Cursor, LISTED_SUBJECT, newestFirst } from '../../outbox/record-store.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import type { Notice } from '../model/notices/notice.ts';
import { hasEnded } from '../model/pending-effects.ts';
import { type RequestRecord, subjectOf } from '../model/record.ts';
import { channelsOf, isVotedOnUnrecorded, votedOn } from '../model/record-messages.ts';
import { groupsOf, type HistoryGroup, STATES } from '../model/states.ts';
import { mayHaveReceived } from '../model/summary.ts';
import type { Timings } from '../model/timings.ts';
import type { RequestStore } from '../ports/ports.ts';

/** Yields the requests of a workspace, or those of a subject, the newest first. */
export const newestRequests = (
  store: Pick<RequestStore, 'list'>,
  wanted: Parameters<typeof newestFirst>[1],
  atOnce?: number,
): AsyncGenerator<RequestRecord, void> =>
  newestFirst(store, wanted, ({ createdAt }: RequestRecord) => createdAt, atOnce);

/** The place of a request in such a list. */
export const cursorOf = ({ createdAt, id }: RequestRecord): Cursor => ({ at: createdAt, id });

/** The requests that don't get on: nobody can decide, they can't be sent, or their outcome is unknown. */
export const STUCK = 'stuck';

/** The requests whose outcome the service may still announce. */
const OUTCOME_OWED = 'outcome owed';

/** The counts of unmatched events, the newest of which may be under way. */
export const UNMATCHED_EVENTS = 'unmatched events';

/** The requests of a kind that await approval, or wait to be sent. */
export const unsentSubject = (kind: Kind): string => `unsent:${kind}`;

/** The requests that a channel shows, or whose approvers are in it. */
export const channelSubject = (channel: string): string => `channel:${channel}`;

/** All subjects of a request: its target, and each list that holds it. */
export function subjectsOf(record: RequestRecord, timings: Timings): string[] {
  return [
    subjectOf(record.kind, record.target),
    ...channelsOf(record).map(channelSubject),
    ...voteSubjects(record),
    ...(STATES[record.state].beforeCall ? [unsentSubject(record.kind)] : []),
    ...(awaitsOutcome(record) ? [OUTCOME_OWED] : []),
    ...historySubjects(record),
    ...(hasEnded(record, timings) ? [] : [UNFINISHED]),
    ...homeSubjects(record),
  ];
}

export function noticeSubjects(notice: Notice): string[] {
  if (notice.type === 'unmatched_events') return [UNMATCHED_EVENTS];
  return notice.type === 'event' ? [subjectOf(notice.kind, notice.event.target)] : [];
}

/**
 * Whether the service may still announce an outcome. An open request may get one before it is sent again: an event about an earlier
 * call may still come.
 */
function awaitsOutcome(record: RequestRecord): boolean {
  const { slot, beforeCall } = STATES[record.state];
  return KINDS[record.kind].topic !== undefined && slot && (!beforeCall || mayHaveReceived(record));
}

/** Whether the service may still announce an outcome to the workspace. */
export async function owesOutcome(store: RequestStore, workspace: string): Promise<boolean> {
  const { records } = await store.listBySubject(workspace, OUTCOME_OWED, 1);
  return records.length > 0;
}

const groupSubject = (group: HistoryGroup): string => `history:${group}`;

export const OPEN = groupSubject('open');

/** The requests to which something can still happen by itself. */
export const UNFINISHED = 'history:unfinished';

/** The list that holds what a filter of the history lets through, and nothing else; undefined: all requests. */
export function historySubject({
  group,
  requester,
}: {
  group?: HistoryGroup | undefined;
  requester?: string | undefined;
}): string | undefined {
  if (group === undefined) return requester === undefined ? undefined : `requester:${requester}`;
  return requester === undefined ? groupSubject(group) : `${groupSubject(group)}:${requester}`;
}

/** The lists of the history that hold a request, for each combination of filters. */
function historySubjects({ state, requester }: RequestRecord): string[] {
  const groups = [undefined, ...groupsOf(state)];
  const lists = groups.flatMap((group) => [historySubject({ group }), historySubject({ group, requester })]);
  return lists.filter((list) => list !== undefined);
}

/** The groups in which a person's own requests are listed. */
export const OWN_GROUPS = ['unknown', 'open', 'ended'] as const;
export type OwnGroup = (typeof OWN_GROUPS)[number];

export const ownSubject = (requester: string, group: OwnGroup): string => `own:${group}:${requester}`;

/** The lists from which a person's own page is read. */
function homeSubjects(record: RequestRecord): string[] {
  const { state, requester } = record;
  const group: OwnGroup = state === 'unknown' ? 'unknown' : STATES[state].slot ? 'open' : 'ended';
  return [ownSubject(requester, group), ...approversSubjects(record), ...(isStuck(record) ? [STUCK] : [])];
}

function isStuck({ state, approval, call, paused }: RequestRecord): boolean {
  if (state === 'unknown') return true;
  if (STATES[state].votes) return (approval?.problem ?? approval?.confirmation?.problem) !== undefined;
  return STATES[state].beforeCall && (call.waiting !== undefined || paused !== undefined);
}

/**
 * The lists of requests that somebody may decide, by who may: each person that a policy names, a user group, or the members of
 * a channel. The subjects of groups and channels can be listed themselves, because a person does not know in which of them
 * they are.
 */
function approversSubjects({ state, approval }: RequestRecord): string[] {
  if (!STATES[state].votes || !approval) return [];
  const { approvers, channel } = approval.policy;
  if (approvers.type === 'people') return approvers.people.map(approverSubject);
  const id = approvers.type === 'group' ? approvers.group : channel;
  return id === undefined ? [] : [ruleSubject({ type: approvers.type, id })];
}

export const approverSubject = (person: string): string => `approver:${person}`;

/** The people who may decide, as a policy names them: by a user group, or by a channel. */
export type ApproversRule = { type: 'group' | 'channel'; id: string };

export const ruleSubject = ({ type, id }: ApproversRule): string => `${LISTED_SUBJECT}${type}:${id}`;

/** @returns undefined for a subject that names no such rule */
export function readRule(subject: string): ApproversRule | undefined {
  const [, type, id] = /^(group|channel):(.*)$/s.exec(subject.slice(LISTED_SUBJECT.length)) ?? [];
  return id === undefined ? undefined : { type: type === 'group' ? 'group' : 'channel', id };
}

/**
 * Subjects for votes by reaction. They contain the emoji, so that other reactions, thousands in a workspace, find no
 * record to read.
 */
function voteSubjects(record: RequestRecord): string[] {
  const { approval, state } = record;
  if (!approval) return [];
  const { location } = votedOn(record);
  const emoji = Object.values(approval.policy.emoji);
  if (location) return emoji.map((each) => voteSubject(each, location.ts));
  return STATES[state].votes && isVotedOnUnrecorded(record) ? emoji.map(unrecordedSubject) : [];
}

/**
 * The requests that this emoji votes on, on a message with this timestamp: hardly ever more than one. The channel is left out,
 * because its id may have changed without the bot knowing it yet.
 *
 * @param emoji without a skin tone
 */
export const voteSubject = (emoji: string, ts: string): string => `vote:${emoji}:${ts}`;

/** The requests that this emoji may vote on, whose message may be in Slack without being recorded. */
export const unrecordedSubject = (emoji: string): string => `vote:${emoji}`;
