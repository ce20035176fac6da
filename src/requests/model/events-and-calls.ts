/**
 * Finds the request and the call that an event of the service is about (events carry an order id and no request id), compares
 * events by their times, and tells apart the calls of a request: the ones that the service may have received, in order of time,
 * and what it has said of each. A call that a failover has undone is one of them, although it may have no step (`call.undone`).
 */
import type { Answer, ServiceEvent } from './cause.ts';
import type { Kind } from './kinds.ts';
import type { Call, Heard, RequestRecord, Step } from './record.ts';
import { outcomeSaid } from './states.ts';
import { isPossiblyReceivedCall } from './summary.ts';

/** An event of the service, and the kind of request that its topic concerns. */
export type IncomingEvent = { workspace: string; kind: Kind; event: ServiceEvent };

/** The number of requests for one order, the newest ones, that an event is matched against. */
export const REQUESTS_CONSIDERED = 50;

/**
 * Finds the request that an event belongs to, among those that were called: the one with the event's time of creation, else the
 * one whose call is under way (its answer will tell), else the newest one that was called before the event. An id in another
 * case of letters may name another order, so it does not suffice for the last rule; a matching time counts more than the case.
 *
 * @param records the records of the event's workspace and target, in any spelling of case, the newest first
 */
export function ownerOf(event: ServiceEvent, records: readonly RequestRecord[]): RequestRecord | undefined {
  const called = records.filter((record) => receivedAt(record) !== undefined);
  const exact = called.filter((record) => hasSameId(record, event));
  return (
    exact.find((record) => isSameMoment(record, event)) ??
    called.find((record) => isSameMoment(record, event)) ??
    called.find((record) => record.state === 'calling') ??
    exact.find((record) => !isYounger(record, event))
  );
}

/** Whether an event is about this request, by what is known so far: unlike in `ownerOf`, a call under way does not count. */
export const isOwnEvent = (record: RequestRecord, event: ServiceEvent): boolean =>
  receivedAt(record) !== undefined &&
  (isSameMoment(record, event) || (hasSameId(record, event) && !isYounger(record, event)));

/** Whether an event describes something that happened after the request was made. An event without a time may be old. */
export function isSince({ createdAt, updatedAt = createdAt }: ServiceEvent, record: RequestRecord): boolean {
  return updatedAt !== undefined && updatedAt + SAME_MOMENT_MS >= record.createdAt;
}

export const hasSameId = ({ target }: RequestRecord, event: ServiceEvent): boolean => target === event.target;

const isSameMoment = (record: RequestRecord, { createdAt }: ServiceEvent): boolean =>
  createdAt !== undefined && requestTimes(record).some((at) => isAt(at, createdAt));

/**
 * Whether the first call that the service may have received was made after the event, by our clock and, if the service has told
 * the time of the call, by its clock: that one may be behind, but not by more than is believed.
 */
function isYounger(record: RequestRecord, { createdAt, updatedAt }: ServiceEvent): boolean {
  const moment = createdAt ?? updatedAt;
  if (moment === undefined) return false;
  const [first] = callsOf(record);
  if (!first) return true;
  const told = Math.max(first.heard?.requestedAt ?? first.at, first.at - APART_MS);
  return Math.min(first.at, told) > moment + SAME_MOMENT_MS;
}

/** A call with its result; a call without a step has none. */
type CallMade = Call & Pick<Step, 'callResult'>;

/** The calls that the service may have received, the oldest first. */
export const callsOf = ({ steps, call }: RequestRecord): readonly CallMade[] =>
  [...steps.filter(isPossiblyReceivedCall), ...(call.undone ?? [])].toSorted((a, b) => a.at - b.at);

/** The start of the first call that the service received or may have received. */
export const receivedAt = (record: RequestRecord): number | undefined => callsOf(record)[0]?.at;

/** The service's times of the calls, as far as they are known, the oldest first. */
export const requestTimes = (record: RequestRecord): number[] =>
  callsOf(record).flatMap(({ heard }) => heard?.requestedAt ?? []);

/**
 * The calls that an event may be about: those whose time it names, else the nearest one, because the service's times of one
 * request may differ, or the answer with its time was lost. If the event names no time: all calls, except the last one if that is
 * later than the event, and except earlier ones of which the service has said nothing: a person has recorded that it did not
 * receive them.
 *
 * @returns none if the event names the time of a request that was made elsewhere
 */
export function callsMeant(record: RequestRecord, event: ServiceEvent): readonly Call[] {
  const calls = callsOf(record);
  const { createdAt } = event;
  if (createdAt === undefined) return withoutUnheard(withoutLaterOne(calls, event));
  const named = calls.filter(
    ({ heard }) => heard?.requestedAt !== undefined && isAt(heard.requestedAt, createdAt),
  );
  if (named.length > 0) return named;
  const isElsewhere =
    calls.every(({ heard }) => heard?.requestedAt !== undefined) &&
    calls.some(({ heard }) => heard?.isConfirmed);
  return isElsewhere ? [] : nearest(calls, createdAt);
}

/**
 * The call whose time is nearest to a moment, both by the service's clock. Where the service has told no time of a call, it is
 * estimated by how far its clock was ahead of ours at the latest call of which it did.
 */
function nearest(calls: readonly Call[], moment: number): readonly Call[] {
  const known = calls.findLast(({ heard }) => heard?.requestedAt !== undefined);
  const ahead = (known?.heard?.requestedAt ?? 0) - (known?.at ?? 0);
  const distance = ({ at, heard }: Call) => Math.abs((heard?.requestedAt ?? at + ahead) - moment);
  return calls.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1);
}

/** The calls without earlier ones of which the service has said nothing. */
const withoutUnheard = (calls: readonly Call[]): readonly Call[] =>
  calls.filter((call) => call === calls.at(-1) || isTold(call));

/** The calls without the last one, if the event is older than that call. */
function withoutLaterOne(calls: readonly Call[], event: ServiceEvent): readonly Call[] {
  const last = calls.at(-1);
  if (!last || calls.length === 1) return calls;
  const isOlder =
    last.heard?.requestedAt === undefined ? isBefore(event, last.at) : isFromBefore(last, event);
  return isOlder ? calls.slice(0, -1) : calls;
}

/** Whether an event predates the service's time of a call, so it says nothing about that call. */
export const isFromBefore = ({ at, heard }: Call, event: ServiceEvent): boolean =>
  heard?.requestedAt !== undefined && isBefore(event, bounded(heard.requestedAt, at));

/**
 * Whether an event is about an earlier call, and nobody knows what became of the last one, which was made after the event. A
 * denial of the earlier call that is later than the last one does not wait.
 */
export function isBeforeDoubt(record: RequestRecord, event: ServiceEvent): boolean {
  const last = callsOf(record).at(-1);
  const isInDoubt = last !== undefined && !isTold(last);
  return isInDoubt && isBefore(event, last.at) && !callsMeant(record, event).includes(last);
}

/** Whether the service has said anything of a call: an answer or event with an outcome, or an event with an unlisted word. */
export const isTold = ({ heard }: Call): boolean =>
  heard?.said !== undefined || heard?.last !== undefined || heard?.hasUntimed === true;

/** Whether the service took a call, and has not said in a word of the interface what became of it. */
export const isTakenOnly = (call: CallMade): boolean =>
  call.heard?.said === undefined && (call.callResult === 'accepted' || isTold(call));

/** Whether any call has cancelled the order, or sent the offer. @param but calls that don't count */
export const isAnyDone = (record: RequestRecord, { but }: { but: readonly Call[] }): boolean =>
  callsOf(record).some((call) => !but.includes(call) && isDone(call));

export const isDone = ({ heard }: Call): boolean =>
  heard?.said !== undefined && outcomeSaid(heard.said) === 'done';

/** Whether the newest word about a call denies it. */
export const isDenied = ({ heard }: Call): boolean =>
  heard?.said === 'denied' && (heard.last?.status ?? 'denied') === 'denied';

/** Whether a call was denied, and the others were made later: that says nothing about those. */
export const isDeniedBefore = (call: Call, others: readonly Call[]): boolean =>
  isDenied(call) && others.length > 0 && others.every(({ at }) => call.at < at);

/** Changes what is known of some of the calls. @param about those calls, as `callsOf` returns them */
export function withHeard(
  record: RequestRecord,
  about: readonly Call[],
  add: (heard: Heard) => Heard,
): RequestRecord {
  const added = <C extends Call>(call: C): C =>
    about.includes(call) ? { ...call, heard: add(call.heard ?? {}) } : call;
  const undone = record.call.undone?.map(added);
  return {
    ...record,
    steps: record.steps.map(added),
    call: undone ? { ...record.call, undone } : record.call,
  };
}

/** Returns what an answer says about its call. `accepted` is left out: it leaves open what becomes of the request. */
export const heardIn = ({ status, requestedAt }: Extract<Answer, { type: 'said' }>): Heard => ({
  ...(requestedAt !== undefined && { requestedAt }),
  ...(status !== 'accepted' && { said: status }),
});

/** The largest difference between `requestedAt` and an event's `createdAt` that still counts as the same moment. */
const SAME_MOMENT_MS = 2_000;

/** Whether an event's time of creation is that of a request, by the service's clock. */
export const isAt = (requestedAt: number, createdAt: number): boolean =>
  Math.abs(requestedAt - createdAt) <= SAME_MOMENT_MS;

export const saysCanceled = ({ status }: ServiceEvent): boolean => outcomeSaid(status) === 'done';

/** An event that others are compared with. */
export type Former = Pick<ServiceEvent, 'status' | 'word' | 'updatedAt' | 'arrivedAt'>;

/** Compares an event with a former one by (updatedAt, status). Without a time the order is that of arrival. */
export function compareEvents(event: ServiceEvent, former: Former): 'newer' | 'repeated' | 'stale' {
  const { updatedAt } = event;
  if (updatedAt === undefined || former.updatedAt === undefined) return 'newer';
  if (updatedAt !== former.updatedAt) {
    const isNewer = latestOf(updatedAt, event.arrivedAt) >= bounded(former.updatedAt, former.arrivedAt);
    return isNewer ? 'newer' : 'stale';
  }
  if (event.status === former.status && event.word === former.word) return 'repeated';
  // At equal times a decision beats everything else, and nothing beats a decision.
  return isDecision(event) && !isDecision(former) ? 'newer' : 'stale';
}

/** Whether two events say the same: one was sent twice, or the order was cancelled once and two events tell of it. */
export const isRepeat = (event: ServiceEvent, former: ServiceEvent): boolean =>
  event.digest === former.digest || compareEvents(event, former) === 'repeated';

const isDecision = ({ status }: Pick<ServiceEvent, 'status'>): boolean => outcomeSaid(status) !== undefined;

/** Whether everything in an event happened before a moment. An event without a time of change may be newer. */
function isBefore({ createdAt, updatedAt, arrivedAt }: ServiceEvent, moment: number): boolean {
  if (updatedAt === undefined) return false;
  return latestOf(Math.max(updatedAt, createdAt ?? updatedAt), arrivedAt) + SAME_MOMENT_MS < moment;
}

/** The largest difference between a service's clock and ours that is believed. */
const APART_MS = 10 * 60_000;

/** The time by which an arriving event is compared: at most ten minutes after its first arrival by the store's clock. */
const latestOf = (time: number, arrivedAt: number | undefined): number =>
  arrivedAt === undefined ? time : Math.min(time, arrivedAt + APART_MS);

/**
 * The time with which later events are compared. A time that is years ahead must not make them stale, not even for ten
 * minutes, so the first arrival by the store's clock counts instead of it.
 */
export function bounded(time: number, arrivedAt: number | undefined): number {
  return arrivedAt !== undefined && time > arrivedAt + APART_MS ? arrivedAt : time;
}
