/**
 * Use cases: a person looks up the status of a request, wants the form filled in from a former request, or wants the text for
 * a customer about a request.
 */
import type { RecordRef } from '../../outbox/record-store.ts';
import { withoutReasons } from '../model/channels.ts';
import { type CustomerReply, KIND_NAMES } from '../model/kinds.ts';
import { type RequestRecord, subjectsOfId } from '../model/record.ts';
import type { Settings } from '../model/settings.ts';
import type { Person } from '../ports/ports.ts';
import { idMeant } from './addresses.ts';
import { trimmedId, withoutUnprintable } from './input.ts';
import { customerReplyTo, offersAgain } from './possible-actions.ts';
import { outdatedBy } from './same-target.ts';
import {
  type FoundWithRoles,
  findMember,
  findWithRoles,
  hasOneOf,
  isApprover,
  isSaid,
  MAY_REPLY,
  mayAdminister,
  type NotAllowed,
  type ReadDeps,
  remembering,
} from './who-may.ts';

type LookedUp =
  | NotAllowed
  | { type: 'none' }
  | { type: 'found'; record: RequestRecord; showsReason: boolean }
  /** Several requests for one order or offer, the newest first. */
  | ({ type: 'several' } & FoundRequests);

/** `isMore`: there are older requests than these. */
type FoundRequests = { records: RequestRecord[]; isMore: boolean };

const MOST_FOUND = 10;

/**
 * Looks up the status of a request.
 *
 * @param query the id of a request, or the id or address of its order or offer
 */
export async function lookUp(
  deps: ReadDeps,
  { workspace, user, query }: { workspace: string; user: string; query: string },
): Promise<LookedUp> {
  const reader = await findMember(deps.directory, workspace, user);
  if (reader.type === 'not_allowed') return reader;
  const found = await findRequests(deps, workspace, query);
  const [record, ...more] = found.records;
  if (!record) return { type: 'none' };
  if (more.length > 0) return { type: 'several', ...found };
  return { type: 'found', record, showsReason: await mayReadReason(deps, record, reader.person) };
}

/** The id that a person looks for: they may have pasted the address of an order or offer. */
function idOf(query: string, settings: Settings): string {
  const typed = trimmedId(withoutUnprintable(query));
  const meant = KIND_NAMES.map((kind) => idMeant(kind, typed, settings));
  return meant.find((id) => id !== typed) ?? typed;
}

/** Whether a person may read the reason: the requester, admins, approvers and members of the request's channel. */
async function mayReadReason(
  deps: Pick<ReadDeps, 'directory' | 'workspaces'>,
  { workspace, requester, channel, approval }: RequestRecord,
  person: Person,
): Promise<boolean> {
  if (person.id === requester || person.isAdmin) return true;
  const directory = remembering(deps.directory);
  const [isThere, isOne] = await Promise.all([
    isSaid(directory.isChannelMember(workspace, channel, person.id)),
    approval ? isSaid(isApprover(directory, workspace, approval.policy, person.id)) : false,
  ]);
  if (isThere || isOne) return true;
  return isSaid(mayAdminister({ directory, settings: deps.workspaces.settings }, workspace, person));
}

/**
 * Finds the request with an id, or the latest requests for an order or offer, the newest first.
 *
 * @param query the id of a request, or the id or address of its order or offer
 */
export async function findRequests(
  { store, workspaces }: Pick<ReadDeps, 'store' | 'workspaces'>,
  workspace: string,
  query: string,
): Promise<FoundRequests> {
  const id = idOf(query, await workspaces.settings(workspace));
  const byId = await store.get({ workspace, id: id.toLowerCase() });
  if (byId) return { records: [byId.record], isMore: false };
  const lists = await Promise.all(
    [...subjectsOfId(id)].map((subject) => store.listBySubject(workspace, subject, MOST_FOUND + 1)),
  );
  const found = lists.flatMap(({ records }) => records).sort((a, b) => b.createdAt - a.createdAt);
  return { records: found.slice(0, MOST_FOUND), isMore: found.length > MOST_FOUND };
}

type RequestAgain =
  | { type: 'not_found' }
  | NotAllowed
  /** The request has moved on since the person saw it. */
  | { type: 'not_offered'; record: RequestRecord }
  /** `record`: without its reasons where the person may not read them. */
  | { type: 'offered'; record: RequestRecord };

/** Reads the former request with which the form of a new one is filled in. Nothing else of the former one counts for it. */
export async function readToRequestAgain(
  deps: ReadDeps,
  { workspace, id, by }: RecordRef & { by: string },
): Promise<RequestAgain> {
  const [found, reader] = await Promise.all([
    deps.store.get({ workspace, id }),
    findMember(deps.directory, workspace, by),
  ]);
  if (!found) return { type: 'not_found' };
  if (reader.type === 'not_allowed') return reader;
  const { record } = found;
  if (!offersAgain(record)) return { type: 'not_offered', record };
  const mayRead = await mayReadReason(deps, record, reader.person);
  return { type: 'offered', record: mayRead ? record : withoutReasons(record) };
}

type CustomerReplyRead =
  | Exclude<FoundWithRoles, { type: 'found' }>
  | { type: 'not_theirs'; record: RequestRecord }
  /** Nothing is known, or nothing is known any more, that concerns the customer. */
  | { type: 'nothing_to_tell'; record: RequestRecord }
  /** `by`: another request for the same order or offer, which may have changed the outcome. */
  | { type: 'outdated'; record: RequestRecord; by: RequestRecord }
  | { type: 'offered'; record: RequestRecord; reply: CustomerReply };

/** Finds the text for a customer about a request. */
export async function readCustomerReply(
  deps: ReadDeps,
  who: RecordRef & { by: string },
): Promise<CustomerReplyRead> {
  const found = await findWithRoles(deps, who);
  if (found.type !== 'found') return found;
  const { record } = found;
  if (!hasOneOf(found, MAY_REPLY)) return { type: 'not_theirs', record };
  const reply = customerReplyTo(record);
  if (!reply) return { type: 'nothing_to_tell', record };
  const by = await outdatedBy(deps, record);
  return by ? { type: 'outdated', record, by } : { type: 'offered', record, reply };
}
