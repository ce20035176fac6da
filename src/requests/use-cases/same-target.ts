/** Finds the other requests for the same order or offer as a request, and what they mean for it. */
import { KINDS, type Kind } from '../model/kinds.ts';
import { type RequestRecord, type Step, slotOf, subjectOf } from '../model/record.ts';
import { mayBeAboutTarget } from '../model/refusal.ts';
import { STATES } from '../model/states.ts';
import { isReopened, isWordOfService, mayHaveReceived } from '../model/summary.ts';
import type { RequestStore } from '../ports/ports.ts';
import { newestRequests } from '../store/subjects.ts';

/** Names a request by its order or offer. */
export type Aimed = Pick<RequestRecord, 'workspace' | 'id' | 'kind' | 'target'>;

export async function newestOthers(
  store: RequestStore,
  { workspace, id, kind, target }: Aimed,
  most: number,
): Promise<RequestRecord[]> {
  const { records } = await store.listBySubject(workspace, subjectOf(kind, target), most + 1);
  return records.filter((other) => other.id !== id).slice(0, most);
}

/** Yields all other requests for the same order or offer, the newest first. */
async function* allOthersFor(
  store: RequestStore,
  { workspace, id, kind, target }: Aimed,
): AsyncGenerator<RequestRecord, void> {
  const listed = { workspace, subject: subjectOf(kind, target) };
  for await (const other of newestRequests(store, listed)) if (other.id !== id) yield other;
}

/**
 * Finds a newer request for the same target that was called; undefined if there is none. The call need not have been received.
 *
 * The caller's write does not depend on this (`Condition`): a request that is called between this read and the write might as
 * well be called right after the write. Nothing in this record depends on the newer one, and this record ends without the slot,
 * which its Retry has to take again.
 */
export async function newerCalled(
  { store }: { store: RequestStore },
  record: RequestRecord,
): Promise<RequestRecord | undefined> {
  for await (const other of allOthersFor(store, record)) {
    if (other.createdAt < record.createdAt) return undefined;
    if (other.call.attempts > 0) return other;
  }
  return undefined;
}

/**
 * Finds a request for the same target because of which the outcome of this one may no longer hold; undefined if there is none: a
 * newer one, or an older one that was sent again, or of which the service has said something since. A decline says nothing about
 * the target, so for a declined request any other one that may be done counts.
 */
export async function outdatedBy(
  { store }: { store: RequestStore },
  record: RequestRecord,
): Promise<RequestRecord | undefined> {
  for await (const other of allOthersFor(store, record)) {
    if (newsAt(other) > newsAt(record) && mayHaveChanged(other, record)) return other;
    if (record.state === 'declined' && mayBeDone(other)) return other;
  }
  return undefined;
}

/**
 * Whether what a request wanted may be done: the order was cancelled, or the service may have received the request, and does not
 * say that it has not done it.
 */
function mayBeDone(record: RequestRecord): boolean {
  const { outcome } = STATES[record.state];
  return outcome === 'done' || (mayHaveReceived(record) && (outcome !== 'undone' || isReopened(record)));
}

/**
 * The time of the last news of a request: when it was made, approved or sent again, or when the service said something about it.
 * An open request still has news to come. What a person records or corrects is about earlier news.
 */
function newsAt({ state, steps }: RequestRecord): number {
  if (STATES[state].slot) return Number.POSITIVE_INFINITY;
  const isNews = (step: Step) => STATES[step.state].beforeCall || isWordOfService(step);
  return steps.findLast(isNews)?.at ?? 0;
}

/**
 * Whether a later request may have changed the outcome of a former one. If the later one was refused, the order may have changed,
 * but what is done stays done.
 */
function mayHaveChanged(later: RequestRecord, former: RequestRecord): boolean {
  const { slot, outcome } = STATES[later.state];
  if (slot || outcome !== undefined || mayHaveReceived(later)) return true;
  const isRefused = later.steps.some((step) => mayBeAboutTarget(later, step));
  return isRefused && STATES[former.state].outcome !== 'done';
}

/**
 * Finds the request that holds the slot, which a resend must take again, however old it is: the service may have reopened
 * it. undefined if it has released the slot meanwhile.
 */
export async function holderOf(
  store: RequestStore,
  record: RequestRecord,
): Promise<RequestRecord | undefined> {
  for await (const other of allOthersFor(store, record)) if (slotOf(other) !== undefined) return other;
  return undefined;
}

/** The number of requests for the same target that are searched for an earlier success. */
const EARLIER_CONSIDERED = 20;

/**
 * A request because of which a person is warned before the same is sent. `done_before`: its outcome makes another one pointless.
 * `maybe_done_before`: it does not hold the slot, and nobody knows whether it has that outcome.
 */
export type Warning = { type: 'done_before' | 'maybe_done_before'; earlier: RequestRecord };

/** Names a warning that the person has read. Of one that may have been done they are warned again once it is certain. */
export const acknowledging = (type: Warning['type'], { id }: { id: string }): string => `${type} ${id}`;

/** `acknowledged`: the warning that the person has read (`acknowledging`). `linkTo`: the address of the card of that request. */
export type Acknowledged = {
  acknowledged?: string | undefined;
  linkTo?: ((earlier: RequestRecord) => Promise<string | undefined>) | undefined;
};

/**
 * Finds the warning that a person has to read before a request is sent.
 *
 * @returns `warning`: left out if the person knows of it, or if another holds the slot: that is told of instead, unless it has
 *   ended by then. `repeats`: for the record, if the person knows that another request has done it, or may have done it
 */
export async function warningBefore(
  { store }: { store: RequestStore },
  aimed: Aimed,
  { acknowledged, linkTo }: Acknowledged,
): Promise<{ warning?: Warning; repeats?: NonNullable<RequestRecord['repeats']> }> {
  const { workspace, id, kind, target } = aimed;
  const { records } = await store.listBySubject(workspace, subjectOf(kind, target), EARLIER_CONSIDERED);
  const others = records.filter((other) => other.id !== id);
  const warning = warningOf(kind, others);
  if (!warning) return {};
  const { type, earlier } = warning;
  if (acknowledging(type, earlier) !== acknowledged)
    return records.some((record) => slotOf(record) !== undefined) ? {} : { warning };
  const link = await linkTo?.(earlier);
  const maybe = type === 'maybe_done_before';
  return { repeats: { kind: earlier.kind, ...(link !== undefined && { link }), ...(maybe && { maybe }) } };
}

/** @param others the other requests for the same target, the newest first */
function warningOf(kind: Kind, others: readonly RequestRecord[]): Warning | undefined {
  const { doneBy } = KINDS[kind];
  for (const earlier of others) {
    if (STATES[earlier.state].outcome !== undefined && !isReopened(earlier))
      return doneBy.includes(earlier.state) ? { type: 'done_before', earlier } : undefined;
    const couldBeDone = KINDS[earlier.kind].recordable.some((outcome) =>
      doneBy.some((state) => state === outcome),
    );
    if (couldBeDone && isInDoubtWithoutSlot(earlier)) return { type: 'maybe_done_before', earlier };
  }
  return undefined;
}

/**
 * Whether nobody knows the outcome of a request that has ended, or that the service reopened while another one held the slot: then
 * it keeps nobody from requesting the same. One that failed is certain: it was refused, or a person recorded that the service had
 * not received it.
 */
const isInDoubtWithoutSlot = (record: RequestRecord): boolean =>
  slotOf(record) === undefined && record.state !== 'failed' && mayHaveReceived(record);
