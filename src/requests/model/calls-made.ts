/**
 * Tells the calls of a request apart: the ones that the service may have received, in order of time, and what it has said of
 * each. A call that a failover has undone is one of them, although it may have no step (`call.undone`).
 */
import type { Answer, ServiceEvent } from './cause.ts';
import { bounded, isAt, isBefore } from './event-order.ts';
import type { Call, Heard, RequestRecord, Step } from './record.ts';
import { outcomeSaid } from './states.ts';
import { isPossiblyReceivedCall } from './summary.ts';

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
