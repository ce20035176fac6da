/** Answers of the service, and the states that a request enters by them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOrderCalls } from '../../src/order-service/calls.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { applyCallResult } from '../../src/requests/engine/apply-call.ts';
import { KIND_NAMES, type Kind } from '../../src/requests/model/kinds.ts';
import { currentStep } from '../../src/requests/model/record.ts';
import type { State } from '../../src/requests/model/states.ts';
import { replyText } from '../../src/slack/messages/sentences/sentences.ts';
import { TOKEN, tokens } from '../support/order-service/order-service.ts';
import { calling, HELD, T0 } from '../support/requests/records.ts';
import { answer, hostileService, type Play } from './hostile-service.ts';

const log = SILENT;
const AT = '2026-11-21T12:00:00.000Z';

/** Returns the state of a request whose call was made at this address. */
async function called(url: URL, kind: Kind, { guard = HELD, deadlineMs = 15_000 } = {}) {
  const service = createOrderService(url, { limits: { deadlineMs, maxBytes: 10_000 } });
  onTestFinished(() => service.close());
  const { record } = calling({ kind });
  const { answer } = await createOrderCalls({ service, tokens: tokens(), log }).carryOut(record, guard);
  return applyCallResult(record, answer, record.call.attempts, T0).record;
}

async function answered(play: Play, kind: Kind = 'cancel_order') {
  return called((await hostileService(play)).url, kind);
}

describe('what was certainly not received stays queued', () => {
  test('where nobody listens', async () => {
    const record = await called(new URL('http://127.0.0.1:1'), 'cancel_order');
    expect([record.state, record.call.waiting]).toEqual(['queued', 'unreachable']);
  });

  test('where the name leads nowhere', async () => {
    const record = await called(new URL('http://orders.invalid'), 'cancel_order');
    expect([record.state, record.call.waiting]).toEqual(['queued', 'unreachable']);
  });

  test('where TLS was not agreed on', async () => {
    const { url } = await hostileService('HTTP/1.1 400 No TLS here\r\n\r\n');
    const record = await called(new URL(url.href.replace('http:', 'https:')), 'cancel_order');
    expect([record.state, record.call.waiting]).toEqual(['queued', 'unreachable']);
  });

  test('where the claim was gone before the first byte', async () => {
    const { url } = await hostileService(answer(201));
    const record = await called(url, 'cancel_order', { guard: { ...HELD, inTime: () => false } });
    expect([record.state, record.call.waiting]).toEqual(['queued', 'interrupted']);
  });

  test.each(['', 'retry-after: 9\r\n'])('where it was turned away unread (429, %j)', async (headers) => {
    const record = await answered(answer(429, '', headers));
    expect([record.state, record.call.waiting]).toEqual(['queued', 'rate_limited']);
  });
});

describe('the status of the answer', () => {
  const body = { code: 'OFFER_NOT_FOUND', message: 'no', cancellationStatus: 'canceled', requestedAt: AT };
  const STATES: Record<number, State> = { 204: 'unknown', 408: 'unknown', 429: 'queued', 499: 'unknown' };

  function expected(status: number): State {
    if (STATES[status]) return STATES[status];
    if (status < 300) return 'canceled';
    return status >= 400 && status < 500 ? 'failed' : 'unknown';
  }

  const bodiless = (status: number) => `HTTP/1.1 ${status} X\r\n\r\n`;

  test.each([200, 300, 400, 500])('counts, from %i on', async (first) => {
    // One server for them all: to open 700 took longer than the calls.
    let next: string | Buffer = '';
    const { url } = await hostileService((socket) => socket.end(next));
    const stateBy = async (play: string | Buffer) => {
      next = play;
      return (await called(url, 'cancel_order')).state;
    };
    for (let status = first; status < first + 100; status++) {
      const coded = status === 204 || status === 304 ? bodiless(status) : answer(status, body);
      expect([status, await stateBy(coded)]).toEqual([status, expected(status)]);
      if (status < 300) continue;
      expect([status, await stateBy(bodiless(status))]).toEqual([status, expected(status)]);
    }
  });
});

const ERROR = { code: 'INTERNAL_SERVER_ERROR', message: 'It went wrong.' };
const cancelling = (body: object) => answer(201, { requestedAt: AT, ...body });
const offer = (body: object) => answer(200, { offerId: 'A-1001', canceledAt: AT, ...body });

test.each<[string, Play, State, string | undefined, Kind?]>([
  ['canceled', cancelling({ cancellationStatus: 'canceled' }), 'canceled', undefined],
  ['approved', cancelling({ cancellationStatus: 'approved' }), 'approved', undefined],
  ['denied', cancelling({ cancellationStatus: 'denied' }), 'denied', undefined],
  ['pending', cancelling({ cancellationStatus: 'pending' }), 'under_review', undefined],
  ['a listed status in another case', cancelling({ cancellationStatus: 'Approved' }), 'approved', undefined],
  ['an unlisted status', cancelling({ cancellationStatus: 'Escalated' }), 'under_review', 'Escalated'],
  ['no status', cancelling({}), 'under_review', undefined],
  ['success', answer(200, { success: true, sentAt: AT }), 'sent', undefined, 'send_offer'],
  ['no success', answer(200, { success: false }), 'failed', undefined, 'send_offer'],
  ['"false"', answer(200, { success: 'false' }), 'under_review', undefined, 'send_offer'],
  ['nothing of success', answer(200, {}), 'under_review', undefined, 'send_offer'],
  ['CANCELED', offer({ status: 'CANCELED' }), 'canceled', undefined, 'cancel_offer'],
  [
    'CANCELED of the offer in another case',
    offer({ status: 'CANCELED', offerId: 'a-1001' }),
    'canceled',
    undefined,
    'cancel_offer',
  ],
  [
    'CANCELED of another offer',
    offer({ status: 'CANCELED', offerId: 'B' }),
    'unknown',
    undefined,
    'cancel_offer',
  ],
  ['EXPIRED', offer({ status: 'EXPIRED' }), 'under_review', 'EXPIRED', 'cancel_offer'],
  ['no status of the offer', offer({}), 'under_review', undefined, 'cancel_offer'],
  ['half of a refusal', 'HTTP/1.1 400 X\r\ncontent-length: 99\r\n\r\n{"co', 'failed', undefined],
  ['an error and no status', answer(201, ERROR), 'unknown', undefined],
  ['an error and a status', cancelling({ ...ERROR, cancellationStatus: 'denied' }), 'denied', undefined],
  ['an error and no success', answer(200, ERROR), 'unknown', undefined, 'send_offer'],
  ['an error and "false"', answer(200, { ...ERROR, success: false }), 'failed', undefined, 'send_offer'],
  ['an error and no status of the offer', offer(ERROR), 'unknown', undefined, 'cancel_offer'],
  ['an error and null', cancelling({ ...ERROR, cancellationStatus: null }), 'unknown', undefined],
  ['no code that is a word', cancelling({ code: 7 }), 'under_review', undefined],
])('an answer that says %s', async (_says, play, state, word, kind) => {
  const record = await answered(play, kind);
  expect([record.state, record.word]).toEqual([state, word]);
});

test('a refusal within a success says what the service gave as the reason, without the token', async () => {
  const details = [{ field: 'offer', error: 'Expired' }];
  const body = {
    success: false,
    code: 'OFFER_EXPIRED',
    message: `The offer of ${TOKEN} has expired`,
    details,
  };
  const { steps } = await answered(answer(200, body), 'send_offer');
  const { cause } = steps.at(-1) ?? {};
  expect(cause).toMatchObject({ answer: { type: 'refused', code: 'OFFER_EXPIRED', details } });
  expect(JSON.stringify(cause)).toContain('has expired');
  expect(JSON.stringify(cause)).not.toContain(TOKEN);
});

const LOST = 'The connection to the order service was lost before it answered.';
const HALF = 'The connection to the order service was lost before its answer was complete (HTTP 201).';
const UNREADABLE = 'The order service gave an answer that cannot be read (HTTP 201).';

test.each<[string, Play, string, string]>([
  ['breaks off before it begins', (socket) => socket.destroy(), 'cut', LOST],
  ['is half of one', 'HTTP/1.1 201 X\r\ncontent-length: 99\r\n\r\n{"canc', 'cut', HALF],
  ['is no JSON', answer(201, '<html>'), 'unreadable', UNREADABLE],
  ['is more than anybody reads', answer(201, `{"x":"${'x'.repeat(10_000)}"}`), 'unreadable', UNREADABLE],
  [
    'leads elsewhere',
    answer(307, '', 'location: /token\r\n'),
    'redirected',
    'The order service answered with a redirect, which Countermand never follows (HTTP 307).',
  ],
  [
    'is a success and an error',
    answer(201, ERROR),
    'contradictory',
    'The order service reported a success and an error at once (HTTP 201).',
  ],
  ...[500, 501].map((status): [string, Play, string, string] => [
    `is a ${status}`,
    answer(status),
    'server_error',
    `The order service failed while it worked on the request (HTTP ${status}).`,
  ]),
  ...[408, 499, 502, 503, 504].map((status): [string, Play, string, string] => [
    `is a ${status}`,
    answer(status),
    'gave_up',
    `The order service, or a gateway in front of it, gave up on the request (HTTP ${status}).`,
  ]),
])(
  'nobody knows what came of a call whose answer %s, it is not sent again, and a person reads why',
  async (_is, play, why, says) => {
    const { url, received } = await hostileService(play);
    for (const [at, kind] of KIND_NAMES.entries()) {
      const record = await called(url, kind);
      expect(record.state).toBe('unknown');
      expect(record.steps.at(-1)?.cause).toMatchObject({ answer: { type: 'no_answer', why } });
      expect(received).toHaveLength(at + 1);
      const text = replyText(record, currentStep(record));
      expect(text).toContain(`<@${record.requester}>: ${says}`);
      expect(text).toMatch(/ may or may not be (cancelled|sent)/);
    }
  },
);

test('an answer that does not come in time', async () => {
  const { url } = await hostileService(() => {});
  expect((await called(url, 'cancel_order', { deadlineMs: 2_000 })).state).toBe('unknown');
});
