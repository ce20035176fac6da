/**
 * Finds the requests on which a person has a say as an approver, whoever else must vote, too: those that await their vote, and
 * those that they have approved by button. A page has at most ten of both: first all that await their vote.
 */
import { type Cursor, FROM_THE_OLDEST } from '../../../outbox/record-store.ts';
import { counted, isButton } from '../../model/approval.ts';
import type { RequestRecord } from '../../model/record.ts';
import type { Directory, RequestStore } from '../../ports/ports.ts';
import {
  type ApproversRule,
  approverSubject,
  cursorOf,
  readRule,
  ruleSubject,
} from '../../store/subjects.ts';
import { isApprovingMember } from '../who-may.ts';
import { ownRequest } from './approvers.ts';

/** The requests of each list on one page of Home. */
export const PAGE = 10;
/** Records read at once from a list: parsing so many takes no longer than any other click. */
export const READ_AT_ONCE = 20;
/**
 * The number of user groups and channels that are looked at. A group costs one of Slack's reads a minute, and a channel one for
 * each reader who is not in it.
 */
const MOST_RULES = 10;
/** The most requests that are read for a part of one page, if few of them belong there. The next page goes on. */
const MOST_READ = 200;

/** The request before the start of a page. `approved`: the page begins among the requests that the person has approved. */
export type AwaitedVotesPage = Cursor & { approved?: true | undefined };

/**
 * `records`: those that await the person's vote. `approved`: those that they have approved by button, and may still decline. Both
 * have the oldest first. `next`: the start of the next page, if there may be one. `leftOut`: requests may be missing, because
 * there are more rules than were looked at, or because Slack could not say whether a rule names this person.
 */
export type AwaitedVotes = {
  records: RequestRecord[];
  approved: RequestRecord[];
  next: AwaitedVotesPage | undefined;
  leftOut: boolean;
};

/** Reads a page. The right to vote is checked again with the vote. @param page undefined: the first one */
export async function votesOf(
  { store, directory }: { store: RequestStore; directory: Directory },
  { workspace, user }: { workspace: string; user: string },
  page: AwaitedVotesPage | undefined,
): Promise<AwaitedVotes> {
  const subjects = await store.subjects(workspace, MOST_RULES + 1);
  const rules = subjects.slice(0, MOST_RULES).flatMap((subject) => readRule(subject) ?? []);
  const isIn = await Promise.all(
    rules.map((rule) => isOneOf(directory, workspace, rule, user).catch(() => undefined)),
  );
  const theirs = [approverSubject(user), ...rules.filter((_, i) => isIn[i]).map(ruleSubject)];
  const found = await readPage({ store, workspace, user, theirs }, page);
  return { ...found, leftOut: subjects.length > MOST_RULES || isIn.includes(undefined) };
}

async function isOneOf(
  directory: Directory,
  workspace: string,
  { type, id }: ApproversRule,
  user: string,
): Promise<boolean> {
  if (type === 'channel') return isApprovingMember(directory, workspace, id, user);
  return (await directory.isInGroup(workspace, id, user)) === true;
}

type Belongs = (record: RequestRecord, user: string) => boolean;

/** Whether a request waits for the vote of an approver: they have not voted, and may, because it is not their own. */
const awaitsVoteOf: Belongs = (record, user) => {
  const { approval } = record;
  if (!approval || ownRequest(record, approval, user)) return false;
  return !counted(approval).some(({ by }) => by === user);
};

/**
 * Whether an approver can still take back what they have approved by button: an approver who is not in the channel can do so
 * nowhere else. A reaction is removed where it stands. A request whose approvals are being confirmed for the first time is left
 * out, because it is decided a moment later.
 */
const isApprovedBy: Belongs = ({ approval }, user) =>
  approval?.confirmation?.tries !== 0 &&
  approval !== undefined &&
  counted(approval).some((vote) => vote.by === user && isButton(vote));

/** `theirs`: the subjects under which the requests that a person may vote on are listed. */
type Lists = { store: RequestStore; workspace: string; user: string; theirs: readonly string[] };

async function readPage(
  lists: Lists,
  page: AwaitedVotesPage = FROM_THE_OLDEST,
): Promise<Omit<AwaitedVotes, 'leftOut'>> {
  const awaited = page.approved ? NONE : await readOldest(lists, page, awaitsVoteOf, PAGE);
  const { records, next } = awaited;
  if (next) return { records, approved: [], next };
  const from = page.approved ? page : FROM_THE_OLDEST;
  const then = await readOldest(lists, from, isApprovedBy, PAGE - records.length);
  return { records, approved: then.records, next: then.next && { ...then.next, approved: true } };
}

type Read = { records: RequestRecord[]; next: Cursor | undefined };

const NONE: Read = { records: [], next: undefined };

/** Reads several lists as one, the oldest request first. A request may be in more than one list. */
async function readOldest(lists: Lists, from: Cursor, belongs: Belongs, most: number): Promise<Read> {
  const records: RequestRecord[] = [];
  let after = from;
  for (let read = 0; read < MOST_READ; read += READ_AT_ONCE) {
    const { known, isAll } = await readNext(lists, after);
    for (const record of known) {
      if (belongs(record, lists.user)) {
        if (records.length === most) return { records, next: after };
        records.push(record);
      }
      after = cursorOf(record);
    }
    if (isAll) return { records, next: undefined };
  }
  return { records, next: after };
}

/**
 * Reads the next page of each list.
 *
 * @returns `known`: the requests up to the first end of a page that is not the last of its list. Beyond that end, the list may
 *   have requests that are not read yet. `isAll`: each page is the last of its list
 */
async function readNext(
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

/** The ids of requests are ASCII, whose order is that of the bytes. */
const byPlace = (a: RequestRecord, b: RequestRecord): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
