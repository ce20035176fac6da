/** Applies what happened to a record, by the transition table. Pure. */
import { type Cause, isAccepted, triggerOf, type WaitingWhy } from './cause.ts';
import { backoffMs, givenUp, owed } from './delivery.ts';
import { isRecorded } from './facts/correction.ts';
import { mayHaveReceived } from './facts/receipt.ts';
import { currentStep, type RequestRecord, type Step } from './record.ts';
import { SAID, STATES, type State, TRANSITIONS, type Trigger } from './states.ts';

export type Happening = Exclude<Cause, { type: 'asked' }>;

/**
 * @returns the record in its next state with a step for it, or undefined where the table has no row: nothing changes
 */
export function transition(record: RequestRecord, cause: Happening, now: number): RequestRecord | undefined {
  const trigger = triggerFor(record, cause);
  const state = TRANSITIONS[record.state][trigger] ?? confirmed(record, cause, trigger);
  if (!state || isKnown(record, state)) return undefined;
  const { word: _before, ...rest } = record;
  return withoutNeedOfCard({
    ...rest,
    state,
    // What is opened again must take the slot again, and so must what is sent again.
    holdsSlot: STATES[record.state].slot && !isAnew(state) ? record.holdsSlot : true,
    steps: [...record.steps, newStep(record, state, cause, now)],
    revision: isSeen(record, state, cause) ? record.revision + 1 : record.revision,
    // Once an outcome is known, what waited is older.
    ...(STATES[state].outcome ? { lateAnswers: [] } : {}),
    ...wordOf(cause),
    ...(isAnew(state) ? { call: callAfter(record, cause, now) } : {}),
  });
}

/** A refusal proves little where another call may have been received: that one may be the reason for it. */
function triggerFor(record: RequestRecord, cause: Happening): Trigger {
  const trigger = triggerOf(cause);
  return trigger === 'refused' && mayHaveReceived(record) ? 'refused_in_doubt' : trigger;
}

/** The service says itself what a person recorded: from then on it is its word. */
function confirmed(record: RequestRecord, cause: Happening, trigger: Trigger): State | undefined {
  if (cause.type === 'person' || !isRecorded(currentStep(record))) return undefined;
  const said = trigger in SAID ? SAID[trigger as keyof typeof SAID] : undefined;
  return said && STATES[said].outcome === STATES[record.state].outcome ? said : undefined;
}

/** That it is under review is news once. Nor does it reopen what a person has released although it was known. */
function isKnown(record: RequestRecord, next: State): boolean {
  const { state, steps } = record;
  if (next !== 'under_review') return false;
  if (state === next) return !isAccepted(currentStep(record).cause);
  return state === 'closed' && steps.some((step) => step.state === next);
}

/** The service's own word, where the interface does not list it. */
function wordOf(cause: Happening): { word?: string } {
  const word = cause.type === 'event' ? cause.event.word : wordOfAnswer(cause);
  return word === undefined ? {} : { word };
}

const wordOfAnswer = (cause: Happening) =>
  cause.type === 'answer' && cause.answer.type === 'said' ? cause.answer.word : undefined;

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
  return { ...record, steps, card: { ...record.card, delivery: givenUp(record.card.delivery, code) } };
}

const isAnew = (state: State): boolean => state === 'queued' || state === 'awaiting_approval';

/** Tried again after a while or, where a person has decided so, at once and with a new quarter of an hour before it expires. */
function callAfter({ call }: RequestRecord, cause: Happening, now: number): RequestRecord['call'] {
  if (cause.type === 'answer' && cause.answer.type === 'not_received') {
    const { why, retryAfterMs = 0 } = cause.answer;
    return { ...call, waiting: why, notBefore: now + Math.max(retryAfterMs, backoffMs(call.attempts)) };
  }
  const { waiting: _before, ...rest } = call;
  return { ...rest, notBefore: now };
}

/** The reply goes into the thread, unless there is no card to open one with. An end waits for no card in doubt. */
function newStep(record: RequestRecord, state: State, cause: Cause, now: number): Step {
  const step = { n: record.steps.length + 1, state, at: now, cause };
  if (STATES[state].reply === 'none' && cause.type !== 'decision') return step;
  const { status } = record.card.delivery;
  const hasThread = status === 'posted' || (status === 'doubtful' && STATES[state].slot);
  const to = hasThread ? 'thread' : 'asker';
  return { ...step, reply: { to, delivery: owed(now) } };
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
