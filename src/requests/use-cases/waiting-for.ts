/** Finds the requests that wait for a person's decision: by the rules under which they may decide. */

import { type Cursor, FROM_THE_OLDEST } from '../../outbox/record-store.ts';
import { counted } from '../model/approvals/votes.ts';
import type { RequestRecord } from '../model/record.ts';
import type { Directory, RequestStore } from '../ports/ports.ts';
import { type ApproversRule, approverSubject, readRule, rulesSubject } from '../store/entry.ts';
import { ownRequest } from './approvals/approvers.ts';

/** Each costs a call to Slack, unless it was asked within the last minute. */
const MOST_RULES = 10;
/** So few are parsed in about the time of any other click. */
const READ_AT_ONCE = 20;
/** Requests that a person can't decide must not be read forever: the page ends here, and the next one goes on. */
const MOST_WAITING_READ = 200;

/** `leftOut`: there are more rules than were looked at. `next`: the start of the next page, if there may be one. */
export type Waiting = { records: RequestRecord[]; next: Cursor | undefined; leftOut: boolean };

export type WaitingForDeps = {
  store: Pick<RequestStore, 'list' | 'subjects'>;
  directory: Pick<Directory, 'isInGroup' | 'isChannelMember'>;
};

/**
 * Reads the requests on which a person may vote and has not voted, the oldest first. Their right is checked again with the
 * vote.
 *
 * @param after where the page before ended @param most on a page
 * @throws if Slack or the storage can't be asked
 */
export async function waitingFor(
  { store, directory }: WaitingForDeps,
  {
    workspace,
    user,
    after = FROM_THE_OLDEST,
    most,
  }: {
    workspace: string;
    user: string;
    after?: Cursor | undefined;
    most: number;
  },
): Promise<Waiting> {
  const subjects = await store.subjects(workspace, MOST_RULES + 1);
  const rules = subjects.slice(0, MOST_RULES).flatMap((subject) => readRule(subject) ?? []);
  const isIn = await Promise.all(rules.map((rule) => isOneOf(directory, workspace, rule, user)));
  const theirs = [approverSubject(user), ...rules.filter((_, i) => isIn[i]).map(rulesSubject)];
  const found = await oldest(
    { store, workspace, theirs, isWanted: (record) => mayVote(record, user) },
    { after, most },
  );
  return { ...found, leftOut: subjects.length > MOST_RULES };
}

async function isOneOf(
  directory: WaitingForDeps['directory'],
  workspace: string,
  { type, id }: ApproversRule,
  user: string,
): Promise<boolean> {
  if (type === 'channel') return directory.isChannelMember(workspace, id, user);
  return (await directory.isInGroup(workspace, id, user)) === true;
}

/** Whether a vote of an approver would be their first, and not on a request of their own. */
function mayVote(record: RequestRecord, user: string): boolean {
  const { approval } = record;
  if (!approval || ownRequest(record, approval, user)) return false;
  return !counted(approval).some(({ by }) => by === user);
}

type Lists = {
  store: Pick<RequestStore, 'list'>;
  workspace: string;
  theirs: readonly string[];
  isWanted: (record: RequestRecord) => boolean;
};

/** Reads several lists as one, the oldest first. A request may stand in more than one. */
async function oldest(
  lists: Lists,
  page: { after: Cursor; most: number },
): Promise<{ records: RequestRecord[]; next: Cursor | undefined }> {
  const records: RequestRecord[] = [];
  let { after } = page;
  for (let read = 0; read < MOST_WAITING_READ; read += READ_AT_ONCE) {
    const { known, isAll } = await nextOf(lists, after);
    for (const record of known) {
      if (records.length === page.most) return { records, next: after };
      after = placeOf(record);
      if (lists.isWanted(record)) records.push(record);
    }
    if (isAll) return { records, next: undefined };
  }
  return { records, next: after };
}

/** `known`: the next of all lists, up to where the first of them may go on. `isAll`: no list goes on. */
async function nextOf(
  { store, workspace, theirs }: Lists,
  after: Cursor,
): Promise<{ known: RequestRecord[]; isAll: boolean }> {
  const pages = await Promise.all(
    theirs.map((subject) => store.list(workspace, { subject, after, limit: READ_AT_ONCE })),
  );
  const goingOn = pages.filter(({ length }) => length === READ_AT_ONCE).flatMap((page) => page.at(-1) ?? []);
  const [end] = goingOn.sort(byPlace);
  const all = new Map(pages.flat().map((record) => [record.id, record]));
  const known = [...all.values()].filter((record) => !end || byPlace(record, end) <= 0).sort(byPlace);
  return { known, isAll: end === undefined };
}

const placeOf = ({ createdAt, id }: RequestRecord): Cursor => ({ at: createdAt, id });

/** The ids of requests are ASCII, whose order is that of the bytes. */
const byPlace = (a: RequestRecord, b: RequestRecord): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
