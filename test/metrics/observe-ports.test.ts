import { describe, expect, onTestFinished, test } from 'vitest';
import { ClaimLostError, type Exchange, type HttpCall } from '../../src/http/exchange.ts';
import { defineMetrics } from '../../src/metrics/definitions.ts';
import { observeRequests, observeService, observeSlack } from '../../src/metrics/observe-ports.ts';
import type { RequestRecord } from '../../src/requests/model/record.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { answered, queued, said, T0 } from '../support/requests/records.ts';
import { shownIn } from '../support/shown-metrics.ts';

const LIMITS = { deadlineMs: 1, maxBytes: 1 };

function setUp() {
  const metrics = defineMetrics({ perWorkspace: false, version: '0', commit: 'a' });
  return { metrics, shown: (name: string) => shownIn(metrics, name) };
}

/** Performs a call of each service that has this result, and takes a second and a half. */
async function calling(result: Exchange, call: Partial<HttpCall> = {}) {
  const { metrics, shown } = setUp();
  let ms = 0;
  const clock = { now: () => 0, monotonic: () => ms };
  const send = async () => {
    ms += 1_500;
    return result;
  };
  const whole: HttpCall = { method: 'POST', path: '/api/chat.postMessage', headers: {}, ...call };
  expect(await observeSlack(send, metrics, clock, () => {})(whole, LIMITS)).toBe(result);
  const service = observeService({ send, close: async () => {} }, metrics, clock);
  expect(await service.send(whole, LIMITS, undefined)).toBe(result);
  return shown;
}

const answer = (status: number, body = '{"ok":true}'): Exchange => ({
  type: 'answered',
  answer: { status, headers: {}, body },
});
const failure = (sent: boolean, cause = new Error('lost')): Exchange => ({
  type: 'failed',
  sent,
  timedOut: false,
  head: undefined,
  cause,
});

test.each([
  ['is ok', answer(200), 'ok', 'ok'],
  [
    'Slack refuses in the body of its answer',
    answer(200, '{"ok":false,"error":"not_in_channel"}'),
    'refused',
    'ok',
  ],
  ['is refused', answer(400), 'refused', 'refused'],
  ['is limited', answer(429), 'rate_limited', 'rate_limited'],
  ['meets an error of the server', answer(500), 'server_error', 'server_error'],
  ['is redirected', answer(302), 'inconclusive', 'inconclusive'],
  ['a gateway gave up', answer(408), 'inconclusive', 'inconclusive'],
  ['is answered with a page', answer(200, '<html>'), 'inconclusive', 'inconclusive'],
  ['is answered without a body', answer(204, ''), 'ok', 'ok'],
  ['is answered as a response_url is', answer(200, 'ok'), 'ok', 'inconclusive'],
  ['is lost', failure(true), 'no_answer', 'no_answer'],
  ['has certainly not been sent', failure(false), 'not_sent', 'not_sent'],
  ['was stopped by this process', failure(false, new ClaimLostError()), 'stopped', 'stopped'],
])('a call that %s counts as that', async (_what, result, ofSlack, ofService) => {
  const shown = await calling(result);
  expect(await shown('slack_calls_total')).toEqual([
    `slack_calls_total{method="chat.postMessage",outcome="${ofSlack}"} 1`,
  ]);
  expect(await shown('order_service_calls_total')).toEqual([
    `order_service_calls_total{method="other",outcome="${ofService}"} 1`,
  ]);
});

test.each([
  [{ path: '/api/apps.connections.open' }, 'apps.connections.open'],
  // The id at the end of a response_url is no label: each would be a series of its own.
  [{ path: '/commands/T1/123/aSecret' }, 'response_url'],
])('a call to Slack has the name of its method, and its time: %o', async (call, method) => {
  const shown = await calling(answer(200), call);
  expect(await shown('slack_calls_total')).toEqual([`slack_calls_total{method="${method}",outcome="ok"} 1`]);
  expect(await shown('slack_call_seconds_sum')).toEqual([`slack_call_seconds_sum{method="${method}"} 1.5`]);
});

test.each([
  [{ method: 'DELETE', path: '/tokens/current' }, 'revoke_token'],
  [{ method: 'GET', path: '/sub-brands' }, 'list_sub_brands'],
  [{ path: '/v1/orders/A-1/cancel' }, 'cancel_order'],
  [{ path: '/v1/orders/A-1/other' }, 'other'],
] as const)(
  'a call to the order service has the name of its operation, and its time: %o',
  async (call, method) => {
    const shown = await calling(answer(200), call);
    const ok = `order_service_calls_total{method="${method}",outcome="ok"} 1`;
    expect(await shown('order_service_calls_total')).toEqual([ok]);
    expect(await shown('order_service_call_seconds_sum')).toEqual([
      `order_service_call_seconds_sum{method="${method}"} 1.5`,
    ]);
  },
);

describe('the store of requests', () => {
  function openStore() {
    const { metrics, shown } = setUp();
    const storage = openSqliteStorage(':memory:');
    onTestFinished(storage.close);
    let ms = 0;
    const observe = (requests = storage.requests) =>
      observeRequests(requests, metrics, () => {
        ms += 1_500;
        return ms;
      });
    return { requests: storage.requests, observe, shown };
  }

  const entry = (record: RequestRecord) => requestEntry(record, TIMINGS);
  const [NEW, ENDED] = [queued({}, T0), answered(said('canceled'), {}, T0)];

  test('counts each request and each step once, however often it is written, and whichever process wrote it last', async () => {
    const { observe, shown } = openStore();
    const [one, other] = [observe(), observe()];
    await one.create(entry(NEW));
    expect((await one.create(entry(NEW))).type).toBe('exists');
    const found = await other.get(NEW);
    const { version = 0 } = found?.record ?? {};
    expect((await other.update(entry(ENDED), version + 1)).type).toBe('conflict');
    const updated = await other.update(entry(ENDED), version);
    await other.update(entry(ENDED), updated.type === 'updated' ? updated.version : 0);
    const read = await one.get(NEW);
    await one.update(entry(ENDED), read?.record.version ?? 0);
    expect(await shown('requests_total')).toEqual(['requests_total{kind="cancel_order"} 1']);
    expect(await shown('request_steps_total')).toEqual(
      ENDED.steps.map(({ state }) => `request_steps_total{kind="cancel_order",state="${state}"} 1`),
    );
    expect(await shown('request_outcome_seconds_count')).toEqual([
      'request_outcome_seconds_count{kind="cancel_order",state="canceled"} 1',
    ]);
  });

  test('tells how long each operation took, and which failed', async () => {
    const { requests, observe, shown } = openStore();
    await observe().list('T1', { limit: 1 });
    const get = () => Promise.reject(new Error('storage away'));
    await expect(observe({ ...requests, get }).get(NEW)).rejects.toThrow('storage away');
    expect(await shown('storage_seconds_sum')).toEqual([
      'storage_seconds_sum{operation="list"} 1.5',
      'storage_seconds_sum{operation="get"} 1.5',
    ]);
    expect(await shown('storage_failures_total')).toEqual(['storage_failures_total{operation="get"} 1']);
  });
});
