import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault } from '../../../sandbox/lib/faults/faults.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { failureOf, platformCode } from '../../../src/slack/client/call-slack.ts';
import { boltLogger, webClient } from '../../../src/slack/client/clients.ts';
import { createSlackAgent, sendOver } from '../../../src/slack/client/slack-fetch.ts';

const TIMEOUT_MS = 5_000;

/** `error`: what the real client throws for this answer of Slack. */
async function fail(fault: Fault) {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(() => slack.close());
  const { reached } = slack.faults.schedule({ on: 'auth.test', fault });
  const { token } = slack.installation();
  return { reached, error: errorOf(slack.apiUrl, token) };
}

const failing = async (fault: Fault) => (await fail(fault)).error;

function errorOf(apiUrl: string, token: string): Promise<unknown> {
  const dispatcher = createSlackAgent();
  onTestFinished(() => dispatcher.destroy());
  const client = webClient(
    token,
    { apiUrl: new URL(apiUrl), logger: boltLogger(SILENT), send: sendOver(dispatcher) },
    TIMEOUT_MS,
  );
  return client.auth.test().then(
    () => expect.unreachable('it should have failed'),
    (error) => error,
  );
}

test('the log has no debug lines of the SDK: they hold whole requests, with secrets', () => {
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const logger = boltLogger({ debug: write, info: write, warn: write, error: write });
  logger.debug('http request body:', 'client_secret=hidden');
  expect(lines).toEqual([]);
  logger.warn('kept');
  expect(lines).toHaveLength(1);
});

describe('a failed call to Slack was', () => {
  test.each([
    'is_archived',
    'channel_not_found',
    'not_in_channel',
    'msg_too_long',
    'messages_tab_disabled',
    'a_code_of_tomorrow',
  ])('refused: %s', async (code) => {
    const error = await failing({ type: 'error', code });
    expect(failureOf(error)).toEqual({ type: 'refused', code });
    expect(platformCode(error)).toBe(code);
  });

  test.each([
    'invalid_auth',
    'not_authed',
    'token_revoked',
    'token_expired',
    'not_allowed_token_type',
    'account_inactive',
    'missing_scope',
    'team_access_not_granted',
    'team_added_to_org',
    'org_login_required',
    'accesslimited',
    'external_channel_migrating',
    'ratelimited',
    'message_limit_exceeded',
  ])('certainly without effect, and may work later: %s', async (code) => {
    expect(failureOf(await failing({ type: 'error', code }))).toEqual({ type: 'later', code });
  });

  test('turned away, for as long as Slack says', async () => {
    const error = await failing({ type: 'rate_limit', retryAfterSeconds: 30 });
    expect(failureOf(error)).toEqual({ type: 'later', code: 'ratelimited', retryAfterMs: 30_000 });
  });

  test('turned away, and Slack does not say for how long', async () => {
    const error = await failing({ type: 'status', status: 429 });
    expect(failureOf(error)).toEqual({ type: 'later', code: 'ratelimited' });
  });

  test('turned away, in the word of single methods', async () => {
    expect(failureOf(await failing({ type: 'error', code: 'rate_limited' }))).toEqual({
      type: 'later',
      code: 'ratelimited',
    });
  });

  test('never sent, where nobody listens', async () => {
    const slack = await startSlack({ journal: createJournal() });
    await slack.close();
    const error = await errorOf(slack.apiUrl, 'xoxb-1');
    expect(failureOf(error)).toEqual({ type: 'later', code: 'ECONNREFUSED' });
    expect(platformCode(error)).toBeUndefined();
  });

  test.each([
    [{ type: 'status' as const, status: 500 }, 'http_500'],
    [{ type: 'status_after' as const, status: 502 }, 'http_502'],
    [{ type: 'error' as const, code: 'internal_error' }, 'internal_error'],
    [{ type: 'error' as const, code: 'fatal_error' }, 'fatal_error'],
    [{ type: 'error' as const, code: 'service_unavailable' }, 'service_unavailable'],
    [{ type: 'error' as const, code: 'request_timeout' }, 'request_timeout'],
    [{ type: 'error' as const, code: 'update_failed' }, 'update_failed'],
  ])('perhaps of effect: %o', async (fault, code) => {
    expect(failureOf(await failing(fault))).toEqual({ type: 'doubtful', code });
  });

  test.each([{ type: 'drop' as const }, { type: 'unanswered' as const }])(
    'perhaps of effect: %o',
    async (fault) => {
      expect(failureOf(await failing(fault)).type).toBe('doubtful');
    },
  );

  test('perhaps of effect: it took too long', async () => {
    // However busy the machine is, the request has arrived when its time is over.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { reached, error } = await fail({ type: 'hold', when: 'before' });
    await reached;
    vi.advanceTimersByTime(TIMEOUT_MS);
    vi.useRealTimers();
    expect(failureOf(await error)).toEqual({ type: 'doubtful', code: 'TimeoutError' });
  });

  test('perhaps of effect: an answer that is not all there', async () => {
    const server = createServer((_request, response) => response.end('{"ok":true,"text":"I am Jane')).listen(
      0,
    );
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const error = await errorOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`, 'xoxb-1');
    expect(failureOf(error)).toEqual({ type: 'doubtful', code: 'unreadable' });
    expect(inspect(error)).not.toContain('Jane');
  });

  test('perhaps of effect: an error of our own', () => {
    expect(failureOf(new TypeError('x'))).toEqual({ type: 'doubtful', code: 'TypeError' });
  });
});
