/** Records for tests, brought into any state by the same transitions that the bot uses. */

import fc from 'fast-check';
import type { Destination } from '../../../src/outbox/delivery.ts';
import type { ClaimGuard } from '../../../src/outbox/ports.ts';
import { applyCallResult } from '../../../src/requests/engine/apply-call.ts';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { claimEffect } from '../../../src/requests/engine/effects.ts';
import {
  type Answer,
  OUTCOMES,
  SERVICE_STATUSES,
  type ServiceEvent,
  WaitingReason,
} from '../../../src/requests/model/cause.ts';
import { withMessage } from '../../../src/requests/model/changes/messages.ts';
import { type NewRequest, newRecord } from '../../../src/requests/model/changes/new-record.ts';
import { repliesOf, replyOf } from '../../../src/requests/model/facts/messages.ts';
import { CARD, type RequestMessage } from '../../../src/requests/model/message.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { type RequestRecord, seenIn } from '../../../src/requests/model/record.ts';
import { entryOf } from '../../../src/requests/store/entry.ts';
import type { Clicked } from '../../../src/slack/blocks/ref.ts';

export const T0 = Date.UTC(2026, 10, 21, 12);

export const REQUEST: NewRequest = {
  id: 'bcdfghjkmnpq',
  workspace: 'T1',
  kind: 'cancel_order',
  target: 'A-1001',
  reason: 'Ordered twice',
  requester: 'U1',
  channel: 'C1',
};

/** The click that opens a form about it. */
export const CLICK: Clicked = {
  ref: { id: REQUEST.id, seen: { call: 0, round: 1, state: 'awaiting_approval' } },
  moment: undefined,
};

export function queued(request: Partial<NewRequest> = {}, now = T0): RequestRecord {
  return newRecord({ ...REQUEST, ...request }, now);
}

/** A queued request whose card is posted. */
export function carded(request: Partial<NewRequest> = {}, now = T0): RequestRecord {
  const record = queued(request, now);
  const messageKey = CARD;
  const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: now, expiresAt: now + 1 };
  const posted = { type: 'posted' as const, channel: record.channel, ts: '1.000001' };
  const settling = { claim, rendered: record.revision, now, timings: TIMINGS };
  return applyPosting(record, messageKey, posted, settling);
}

/** The record with another card. */
export const withCard = (record: RequestRecord, changes: Partial<RequestMessage>): RequestRecord =>
  withMessage(record, CARD, (card) => ({ ...card, ...changes }) as RequestMessage);

/** The card shows the record as it is now. */
export const withCardShown = (record: RequestRecord): RequestRecord =>
  withCard(record, { upkeep: { shown: record.revision, updateTries: 0, updateAt: T0 } });

/** All replies go there. */
export const withRepliesTo = (record: RequestRecord, to: Destination): RequestRecord => ({
  ...record,
  messages: record.messages.map((message) => (message.type === 'reply' ? { ...message, to } : message)),
});

/** The states that have a reply, in order. */
export const statesTold = (record: RequestRecord): string[] =>
  record.steps.filter((step) => replyOf(record, step)).map(({ state }) => state);

/** The call was begun at `now`, and has no answer yet. */
export function calling(request: Partial<NewRequest> = {}, now = T0) {
  const by = { owner: 'o', startedAt: now, expiresAt: now + TIMINGS.claimMs };
  const record = claimEffect(carded(request, now), { type: 'call' }, by);
  return { record, claim: record.claim };
}

export function answered(answer: Answer, request: Partial<NewRequest> = {}, now = T0): RequestRecord {
  const { record } = calling(request, now);
  const { claim: _done, ...free } = applyCallResult(record, answer, record.call.attempts, now).record;
  return free;
}

export const said = (status: (typeof OUTCOMES)[number], requestedAt?: number): Answer => ({
  type: 'said',
  status,
  ...(requestedAt === undefined ? {} : { requestedAt }),
});

/** The replies that are pending are posted. */
export function replied(record: RequestRecord, now = T0): RequestRecord {
  const pending = repliesOf(record).filter(({ delivery }) => delivery.status === 'owed');
  return pending.reduce((next, { key: messageKey, step }) => {
    const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: now, expiresAt: now + 1 };
    const posted = { type: 'posted' as const, channel: record.channel, ts: `2.${step}` };
    return applyPosting(next, messageKey, posted, {
      claim,
      rendered: next.revision,
      now,
      timings: TIMINGS,
    });
  }, record);
}

let digests = 0;

export function event(given: Partial<ServiceEvent> = {}): ServiceEvent {
  digests += 1;
  return { topic: 'updated', target: REQUEST.target, status: 'approved', digest: `d${digests}`, ...given };
}

export const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record(
    {
      type: fc.constant('said' as const),
      status: fc.constantFrom(...OUTCOMES),
      word: fc.string({ maxLength: 20 }),
      requestedAt: fc.integer({ min: T0 - 10_000, max: T0 + 10_000 }),
    },
    { requiredKeys: ['type', 'status'] },
  ),
  fc.record({
    type: fc.constant('refused' as const),
    httpStatus: fc.integer({ min: 400, max: 499 }),
    code: fc.string(),
    message: fc.string(),
    details: fc.array(fc.record({ field: fc.string(), error: fc.string() }), { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('not_received' as const), why: fc.constantFrom(...WaitingReason.options) }),
  fc.record({
    type: fc.constant('no_answer' as const),
    why: fc.constantFrom(
      'timeout' as const,
      'server_error' as const,
      'gave_up' as const,
      'cut' as const,
      'interrupted' as const,
    ),
    code: fc.option(fc.string(), { nil: undefined }),
    message: fc.option(fc.string(), { nil: undefined }),
  }),
);

export const anyEvent: fc.Arbitrary<ServiceEvent> = fc
  .record(
    {
      topic: fc.constantFrom('created' as const, 'updated' as const),
      target: fc.constant(REQUEST.target),
      status: fc.constantFrom(...SERVICE_STATUSES, 'accepted' as const),
      word: fc.string({ minLength: 1 }),
      createdAt: fc.integer({ min: T0 - 10_000, max: T0 + 10_000 }),
      updatedAt: fc.integer({ min: T0, max: T0 + 5 }),
      digest: fc.string({ minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['topic', 'target', 'status', 'digest'] },
  )
  .map(({ word, ...given }) =>
    given.status === 'accepted' && word !== undefined ? { ...given, word } : given,
  );

/** A stored entry with no pending effects and no slot, unless given. */
export const restingEntry = (record: RequestRecord) => ({
  ...entryOf(record, TIMINGS),
  slot: undefined,
  dueAt: undefined,
});

/** A person acts on a request as it is now, with a click of their own. */
export const acting = (record: RequestRecord, by: string) => ({
  workspace: record.workspace,
  id: record.id,
  by,
  seen: seenIn(record),
  click: `${by} ${record.version}`,
});

/** The guard of a claim that nobody has taken over. */
export const HELD: ClaimGuard = { inTime: () => true, isHeld: async () => true };
