/** Applies what happened to a record, by the transition table. Pure. */
import { type Answer, type Cause, triggerOf, type WaitingWhy } from './cause.ts';
import { backoffMs, owed } from './delivery.ts';
import { currentStep, type RequestRecord, type Step } from './record.ts';
import { STATES, type State, TRANSITIONS } from './states.ts';

export type Happening = Exclude<Cause, { type: 'asked' }>;

/**
 * @returns the record in its next state with a step for it, or undefined where the table has no row: nothing changes
 */
export function transition(record: RequestRecord, cause: Happening, now: number): RequestRecord | undefined {
  const trigger = triggerOf(cause);
  const state = trigger && TRANSITIONS[record.state][trigger];
  if (!state) return undefined;
  const { word: _overtaken, ...rest } = record;
  return withoutNeedOfCard({
    ...rest,
    state,
    // What is opened again must take the slot again, and so must what is sent again.
    holdsSlot: STATES[record.state].slot && !isAnew(state) ? record.holdsSlot : true,
    steps: [...record.steps, newStep(record, state, cause, now)],
    revision: isSeen(record, state, cause) ? record.revision + 1 : record.revision,
    ...(cause.type === 'answer' ? afterAnswer(record, cause.answer, now) : {}),
    ...(isAnew(state) && cause.type !== 'answer' ? { call: anew(record, now) } : {}),
  });
}

/** A request that has ended needs no card any more, unless it is just being posted: what it has to say, the asker reads. */
function withoutNeedOfCard(record: RequestRecord): RequestRecord {
  const { claim, card, state } = record;
  const isUnderWay = claim !== undefined && 'telling' in claim && claim.telling.type === 'card';
  if (STATES[state].slot || card.delivery.status !== 'owed' || isUnderWay) return record;
  return withCardGivenUp(record, 'not_needed');
}

/** The record without a card; replies that have not been tried in its thread go to the asker. */
export function withCardGivenUp(record: RequestRecord, code: string): RequestRecord {
  const steps = record.steps.map((step) =>
    step.reply?.delivery.status === 'owed'
      ? { ...step, reply: { ...step.reply, to: 'asker' as const } }
      : step,
  );
  return { ...record, steps, card: { ...record.card, delivery: { status: 'given_up', code } } };
}

const isAnew = (state: State): boolean => state === 'queued' || state === 'awaiting_approval';

/** A person has decided to have it sent: at once, and with a new quarter of an hour before it lapses. */
function anew({ call }: RequestRecord, now: number): RequestRecord['call'] {
  const { waiting: _before, ...rest } = call;
  return { ...rest, notBefore: now };
}

/** The reply goes into the thread, unless there is no card to open one with. */
function newStep(record: RequestRecord, state: State, cause: Cause, now: number): Step {
  const step = { n: record.steps.length + 1, state, at: now, cause };
  if (STATES[state].reply === 'none' && cause.type !== 'decision') return step;
  const { status } = record.card.delivery;
  const to = status === 'posted' || status === 'doubtful' ? 'thread' : 'asker';
  return { ...step, reply: { to, delivery: owed(now) } };
}

function afterAnswer(record: RequestRecord, answer: Answer, now: number): Partial<RequestRecord> {
  if (answer.type === 'not_received') {
    const wait = Math.max(answer.retryAfterMs ?? 0, backoffMs(record.call.attempts));
    return { call: { ...record.call, waiting: answer.why, notBefore: now + wait } };
  }
  if (answer.type !== 'said') return {};
  const requestedAt = answer.requestedAt === undefined ? {} : { requestedAt: answer.requestedAt };
  const word = answer.word === undefined ? {} : { word: answer.word };
  return { call: { ...record.call, ...requestedAt }, ...word };
}

/** The record whose call must wait: it was not tried, because others have just failed. */
export function withCallPutOff(record: RequestRecord, why: WaitingWhy, until: number): RequestRecord {
  const revision = record.call.waiting === why ? record.revision : record.revision + 1;
  return { ...record, revision, call: { ...record.call, waiting: why, notBefore: until } };
}

/** Whether a reader of the card sees a difference: the call itself and further tries for the same cause are not shown. */
function isSeen(record: RequestRecord, state: State, cause: Cause): boolean {
  if (state === 'calling') return false;
  const answer = cause.type === 'answer' ? cause.answer : undefined;
  return answer?.type !== 'not_received' || answer.why !== record.call.waiting;
}

/** The record reopened by an event while another request holds its target. */
export function withoutSlot(record: RequestRecord): RequestRecord {
  return { ...record, holdsSlot: false };
}

/** When the record was queued by a decision, rather than by a call that was not received; epoch milliseconds. */
export function queuedSince(record: RequestRecord): number {
  const decided = record.steps.findLast((step) => step.state === 'queued' && step.cause.type !== 'answer');
  return (decided ?? currentStep(record)).at;
}
