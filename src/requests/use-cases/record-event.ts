/**
 * Use case: records an event of the service, in its request or, if it belongs to none, as a notice. It is acknowledged only
 * once it is stored.
 *
 * The way from the event to the reply:
 * 1. order-service/events-route.ts finds the workspace by the endpoint, checks the signature and parses the event. It calls
 *    this use case, one event of an order at a time in each process (src/in-turn.ts, by compose/bot.ts).
 * 2. `ownerOf` (model/events-and-calls.ts) chooses the request, `applyEvent` (events.ts beside it) gives it the event, and
 *    `transition` (model/transition.ts) makes the new step owe its reply. The write is by compare-and-set; the route answers once
 *    it is durable.
 * 3. `wake` starts the outbox (jobs/runner.ts, or jobs/queue.ts with Redis; outbox/advance.ts). It finds the reply that is
 *    owed (`replyEffects` in model/pending-effects.ts), asks the limit of Slack (`beginLimited` in engine/request-type.ts),
 *    claims the reply (outbox/claim.ts), and posts it (engine/effects.ts; slack/messages/messenger.ts has it rendered by
 *    content/render.ts, and deliver.ts beside it calls Slack). `replyText` in slack/messages/sentences/sentences.ts puts its words
 *    together from those of the state (what the service said: service-texts.ts). What starts the outbox, and the limits, are
 *    wired in compose/background.ts.
 * 4. `saveResult` in outbox/claim.ts stores the result, as engine/apply-posting.ts applies it to the record.
 */
import type { Log, Wake } from '../../outbox/ports.ts';
import { isUnreadable } from '../../outbox/record-store.ts';
import type { ServiceEvent } from '../model/cause.ts';
import { applyEvent, type EventResult, isOfSameRequest } from '../model/events.ts';
import {
  compareEvents,
  hasSameId,
  type IncomingEvent,
  isRepeat,
  isSince,
  ownerOf,
  REQUESTS_CONSIDERED,
  saysCanceled,
} from '../model/events-and-calls.ts';
import { newEventNotice } from '../model/notices/unmatched-events.ts';
import { requestDueAt } from '../model/pending-effects.ts';
import { type RequestRecord, subjectOf } from '../model/record.ts';
import { STATES } from '../model/states.ts';
import type { Timings } from '../model/timings.ts';
import { transition } from '../model/transition.ts';
import type { NoticeStore, RequestStore, Workspaces } from '../ports/ports.ts';
import { keepCounted, keepNotice } from '../store/notices.ts';
import { replaceOrYieldSlot } from '../store/writes.ts';

export type RecordEventDeps = {
  store: RequestStore;
  keepUnmatched: (incoming: IncomingEvent) => Promise<void>;
  /** Whether the workspace may store one more event that belongs to no request. */
  hasRoom: (workspace: string) => Promise<boolean>;
  wake: Wake;
  timings: Timings;
};

/** The result of an event, and the request that applied, buffered or already knew it. */
export type Recorded = { result: Exclude<EventResult, 'full'> | 'unmatched'; request?: string };

/**
 * Gives an event to the request that it belongs to, else stores it as a notice.
 *
 * @param bufferedBy the id of the request that had buffered the event by mistake, which is not asked again
 * @returns `too_many`: its request buffers no more events, or the workspace has too many that belong to none; nothing was stored
 * @throws if the storage is unavailable: the event was not recorded, and the sender must send it again
 */
export async function recordEvent(
  deps: RecordEventDeps,
  incoming: IncomingEvent,
  bufferedBy?: string,
): Promise<Recorded | 'too_many'> {
  for (;;) {
    const recorded = await tryToRecord(deps, incoming, bufferedBy);
    // After a conflict the event is applied to the newer records.
    if (recorded !== 'conflict') return recorded;
  }
}

/** The results after which an event ends no other request: an old event says nothing about a request that was made since. */
const NO_NEWS: ReadonlySet<EventResult | undefined> = new Set(['repeated', 'stale', 'full']);

async function tryToRecord(
  deps: RecordEventDeps,
  { workspace, kind, event: arrived }: IncomingEvent,
  bufferedBy: string | undefined,
): Promise<Recorded | 'too_many' | 'conflict'> {
  const subject = subjectOf(kind, arrived.target);
  const { records, now } = await deps.store.listBySubject(workspace, subject, REQUESTS_CONSIDERED);
  const event = { ...arrived, arrivedAt: arrived.arrivedAt ?? now };
  const candidates = records.filter(
    (each) => !event.isAltered && each.kind === kind && each.id !== bufferedBy,
  );
  const owner = ownerOf(event, candidates);
  const applied = owner && applyEvent(owner, event, now);
  // If the service repeats an event, a request may have been ended by its first delivery.
  const endedBefore = candidates.find((record) => hasBeenEndedBy(record, event));
  const isNews = !endedBefore && !NO_NEWS.has(applied?.result);
  const others = candidates.filter((each) => each !== owner);
  const ended = isNews ? await endAwaiting(deps, others, event, now) : undefined;
  if (ended === 'conflict') return 'conflict';
  const isAcknowledged = bufferedBy !== undefined;
  const unmatched = async (): Promise<Recorded | 'too_many'> => {
    if (endedBefore) return { result: 'repeated', request: endedBefore.id };
    if (!isAcknowledged && !(await deps.hasRoom(workspace))) return 'too_many';
    await deps.keepUnmatched({ workspace, kind, event });
    return { result: 'unmatched' };
  };
  if (!owner || !applied) return ended ? { result: 'applied', request: ended.id } : unmatched();
  const { result, record } = applied;
  // There is no room for the event, and the service sends it again, unless another request had buffered and so acknowledged it.
  if (result === 'full') return isAcknowledged ? unmatched() : 'too_many';
  if (record !== owner && (await replaceOrYieldSlot(deps, owner, record)).type === 'conflict')
    return 'conflict';
  // Most events make no effect due: then there is nothing to wake.
  if (requestDueAt(record, deps.timings) !== undefined) deps.wake(record);
  return { result, request: owner.id };
}

/**
 * Ends a request that still awaits approval if the event says that the order is cancelled: there is nothing left to
 * approve. An event from before the request says nothing about it.
 *
 * @returns the ended request; undefined if there is none
 */
async function endAwaiting(
  deps: RecordEventDeps,
  records: readonly RequestRecord[],
  event: ServiceEvent,
  now: number,
): Promise<RequestRecord | 'conflict' | undefined> {
  const awaiting = saysCanceled(event) && records.find((record) => isEndedBy(record, event));
  const moved = awaiting && transition(awaiting, { type: 'canceled_elsewhere', event }, now);
  if (!moved) return undefined;
  if ((await replaceOrYieldSlot(deps, awaiting, moved)).type === 'conflict') return 'conflict';
  deps.wake(moved);
  return moved;
}

const isEndedBy = (record: RequestRecord, event: ServiceEvent): boolean =>
  STATES[record.state].votes && hasSameId(record, event) && isSince(event, record);

/** Whether the request was ended by this event before: the service repeats an event that was not acknowledged. */
const hasBeenEndedBy = (record: RequestRecord, event: ServiceEvent): boolean =>
  hasSameId(record, event) &&
  record.steps.some(({ cause }) => cause.type === 'canceled_elsewhere' && isRepeat(event, cause.event));

type UnmatchedDeps = {
  log: Log;
  notices: NoticeStore;
  workspaces: Pick<Workspaces, 'settings'>;
  wake: Wake;
  /** Whether another workspace of the organization made the request of an event, which is then stored here and not posted. */
  requestedBySibling: (incoming: IncomingEvent) => Promise<boolean>;
  /** Runs the tasks of a workspace one after another. */
  inTurn: <T>(workspace: string, task: () => Promise<T>) => Promise<T>;
};

/** Stores an event that belongs to no request, and has it posted. @throws if the storage is unavailable: nothing was stored */
export async function keepUnmatched(deps: UnmatchedDeps, incoming: IncomingEvent): Promise<void> {
  const { workspaces, notices, inTurn } = deps;
  const { workspace } = incoming;
  const { notificationsChannel: channel } = await workspaces.settings(workspace);
  const keptBecause = channel === undefined ? undefined : await whyNotPosted(deps, incoming);
  if (channel !== undefined && keptBecause === undefined)
    return inTurn(workspace, () => keepCounted(deps, { ...incoming, channel }));
  await keepNotice(deps, newEventNotice({ ...incoming, channel, keptBecause }, await notices.now()));
}

/** The reason, as one word, why an event is kept without being posted; undefined: there is none. */
async function whyNotPosted(deps: UnmatchedDeps, incoming: IncomingEvent): Promise<string | undefined> {
  if (await deps.requestedBySibling(incoming)) return 'requested_by_sibling';
  return (await isKnown(deps, incoming)) ? 'outdated' : undefined;
}

/**
 * Whether an event that is kept tells the same of the same request of the service, or something later: events arrive late and
 * twice, and the channel is to read no old news as the latest.
 */
async function isKnown(deps: UnmatchedDeps, { workspace, kind, event }: IncomingEvent): Promise<boolean> {
  const subject = subjectOf(kind, event.target);
  const { records } = await deps.notices
    .listBySubject(workspace, subject, REQUESTS_CONSIDERED)
    .catch((err) => {
      if (!isUnreadable(err)) throw err;
      return { records: [] };
    });
  return records.some(
    (each) =>
      each.type === 'event' &&
      isOfSameRequest(each.event, event) &&
      compareEvents(event, each.event) !== 'newer',
  );
}
