/**
 * Examples that the catalogue and the tests render: requests, brought into any state by the bot's own transitions, and the
 * values around them. `Surface`: what the catalogue lists.
 */
import type { types } from '@slack/bolt';
import { applyCallResult } from '../requests/engine/apply-call.ts';
import { applyPosting } from '../requests/engine/apply-posting.ts';
import { claimEffect } from '../requests/engine/effects.ts';
import type { Answer, ServiceEvent } from '../requests/model/cause.ts';
import { type NewRequest, newRecord } from '../requests/model/new-record.ts';
import type { Policy } from '../requests/model/policy.ts';
import type { Reply, RequestMessage, RequestRecord } from '../requests/model/record.ts';
import { CARD, repliesOf, withMessage } from '../requests/model/record-messages.ts';
import { TIMINGS } from '../requests/model/timings.ts';
import type { Clicked } from '../slack/blocks/forms.ts';
import type { Message } from '../slack/blocks/text.ts';

export const T0 = Date.UTC(2026, 10, 21, 12);

export const PAUSE = { by: 'UOLGA', at: T0 };
export const LINK = 'https://acme.slack.com/archives/C1/p1';
export const REFERENCE = 'K7Q2M9XA';

export const ADDRESSES = {
  orderAddress: 'https://shop.example.com/orders/{id}',
  ticketHosts: ['desk.example.com', 'tickets.example.com'],
};

/** A connection of which everything is known. Its calls are paused. */
export const CONNECTION_FACTS = {
  connectedBy: 'UOLGA',
  connectedAt: T0,
  lastCall: T0,
  lastEvent: T0,
  paused: { state: 'paused' as const, since: T0, nextCheck: T0 + 60_000 },
  secrets: 2,
};

export const REQUEST: NewRequest = {
  id: 'bcdfghjkmnpq',
  workspace: 'T1',
  kind: 'cancel_order',
  target: 'A-1001',
  reason: 'Ordered twice',
  requester: 'U1',
  channel: 'C1',
};

/** A click that opens a form about `REQUEST`. */
export const CLICK: Clicked = {
  ref: { id: REQUEST.id, seen: { call: 0, round: 1, state: 'awaiting_approval' } },
  moment: undefined,
};

export function queued(request: Partial<NewRequest> = {}, now = T0): RequestRecord {
  return newRecord({ ...REQUEST, ...request }, now);
}

/** The record once a message is posted. */
export function posted(record: RequestRecord, messageKey: string, ts: string, now: number): RequestRecord {
  const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: now, expiresAt: now + 1 };
  const result = { type: 'posted' as const, channel: record.channel, ts };
  const settling = { claim, rendered: record.revision, now, timings: TIMINGS };
  return applyPosting(record, messageKey, result, settling);
}

/** A queued request whose card is posted. */
export const carded = (request: Partial<NewRequest> = {}, now = T0): RequestRecord =>
  posted(queued(request, now), CARD, '1.000001', now);

/** The record with changes of its card. */
export const withCard = (record: RequestRecord, changes: Partial<RequestMessage>): RequestRecord =>
  withMessage(record, CARD, (card) => ({ ...card, ...changes }) as RequestMessage);

/** A request whose call was begun at `now`, and has no answer yet. */
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

/** A request that the order service reviews. */
export const REVIEWED: RequestRecord = answered({ type: 'said', status: 'pending' });

/** The record with all replies sent to the thread, the requester or the channel. */
export const withRepliesTo = (record: RequestRecord, to: Reply['to']): RequestRecord => ({
  ...record,
  messages: record.messages.map((message) => (message.type === 'reply' ? { ...message, to } : message)),
});

/** The record with its pending replies posted. */
export function replied(record: RequestRecord): RequestRecord {
  const pending = repliesOf(record).filter(({ delivery }) => delivery.status === 'owed');
  return pending.reduce((next, { key, step }) => posted(next, key, `2.${step}`, T0), record);
}

/** The number of digests so far, in all tests: an event with the digest of another one would be its repeat. */
let digests = 0;

export function event(given: Partial<ServiceEvent> = {}): ServiceEvent {
  digests += 1;
  return { topic: 'updated', target: REQUEST.target, status: 'approved', digest: `d${digests}`, ...given };
}

/** A policy by which two of a group approve. */
export const POLICY: Policy = {
  approvers: { type: 'group', group: 'S1' },
  shownIn: 'where_requested',
  quorum: 2,
  emoji: { yes: 'white_check_mark', no: 'x' },
  expiresAfterMs: 3_600_000,
  reminds: true,
  mayWithdraw: true,
  setBy: 'UADMIN',
};

/** The policy, with requests shown in the approvals channel. */
export const SHOWN_APART: Policy = { ...POLICY, channel: 'C2', shownIn: 'approvals_channel' };

/** Anything that a person reads. A string is a private answer (mrkdwn), or the mistake at a field; a page is for a browser. */
export type Surface = string | Message | types.View | { html: string };

export const page = ({ body }: { body?: string | Buffer }): Surface => ({ html: String(body ?? '') });
