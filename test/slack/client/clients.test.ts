/** One client makes the calls of all effects of a workspace, and each call keeps to the claim of its own effect. */
import type { types, webApi } from '@slack/bolt';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type ClaimGuard, SILENT } from '../../../src/outbox/ports.ts';
import { createTokenWatch, type TokenWatch } from '../../../src/slack/client/access.ts';
import { boltLogger, createPublishView, createSlackClients } from '../../../src/slack/client/clients.ts';
import { createSlackRateLimits } from '../../../src/slack/client/rate-limits.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import { HELD } from '../../support/requests/records.ts';
import { slackClientsTo } from '../../support/slack-clients.ts';

async function startClients(botTokenOf?: (token: string) => string) {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  return slackClientsTo(slack, botTokenOf);
}

const MAIN = { method: 'auth.test', channel: '' };
const effect = (who: string, inTime = () => true) => ({
  workspace: SEED.team,
  about: {},
  who,
  main: MAIN,
  guard: { ...HELD, inTime },
});

test('of many effects at once, those whose claim has expired make no call, and all others do', async () => {
  const clients = await startClients();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      clients.forEffect(
        effect(`effect ${n}`, () => n % 3 > 0),
        async (client) => {
          await client.auth.test();
          // By now the other effects have begun, the last of them too late.
          return client.auth.test();
        },
      ),
    ),
  );
  const notSent = expect.objectContaining({ original: expect.objectContaining({ code: 'too_late' }) });
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : 'sent'))).toEqual(
    outcomes.map((_, n) => (n % 3 > 0 ? 'sent' : notSent)),
  );
});

test('a client makes no call outside of the effect that it was given for', async () => {
  const clients = await startClients();
  const kept = await clients.forEffect(effect('ended'), async (client) => ({ client }));
  await expect(kept.client.auth.test()).rejects.toThrow('outside');
});

test('an accepted call tells also of the organization whose token the workspace uses', async () => {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  const told: unknown[] = [];
  const tokenWatch = createTokenWatch({ ...SILENT, info: (fields) => void told.push(fields) });
  const installed: { organization?: string; tokenWatch: TokenWatch } = { organization: 'E1', tokenWatch };
  const clients = slackClientsTo(slack, undefined, undefined, installed);
  const call = () => clients.forEffect(effect('first'), (client) => client.auth.test());
  tokenWatch.noteRefused('E1');
  await call();
  expect(told).toEqual([{ event: 'slack_token_accepted', organization: 'E1' }]);
  // From now on the workspace has its own installation.
  delete installed.organization;
  tokenWatch.noteRefused('E1');
  await call();
  expect(told).toHaveLength(1);
});

test('a workspace has one client for all effects, and another one once its token has changed', async () => {
  const tokens = ['', ' (renewed)'];
  const clients = await startClients((token) => `${token}${tokens[0]}`);
  const clientOf = async (who: string) =>
    (await clients.forEffect(effect(who), async (client) => ({ client }))).client;
  const first = await clientOf('first');
  expect(await clientOf('second')).toBe(first);
  tokens.shift();
  expect(await clientOf('third')).not.toBe(first);
});

test('a 429 on a direct message holds back all others for that person, whose channel may have another id', async () => {
  const paused: unknown[] = [];
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  const clients = slackClientsTo(slack, undefined, (call) => void paused.push(call));
  slack.faults.schedule({ on: 'chat.postMessage', fault: { type: 'rate_limit', retryAfterSeconds: 7 } });
  const main = { method: 'chat.postMessage', channel: SEED.users.ana };
  const posted = clients.forEffect({ ...effect('a note'), main }, (client) =>
    client.chat.postMessage({ channel: 'D1', text: 'x' }),
  );
  await expect(posted).rejects.toThrow();
  expect(paused).toEqual([main]);
});

test('an effect that reads twice under its claim makes its main call once with the token it has taken', async () => {
  const slack = await startSlack({ journal: createJournal() });
  onTestFinished(slack.close);
  const clients = slackClientsTo(slack);
  slack.faults.schedule({ on: 'users.info', fault: { type: 'rate_limit', retryAfterSeconds: 7 } });
  const main = { method: 'users.info', channel: '' };
  const read = (guard: ClaimGuard) =>
    clients.forEffect({ ...effect('votes'), main, guard }, (client) =>
      client.users.info({ user: SEED.users.ana }),
    );
  const [claim, next] = [{ ...HELD }, { ...HELD }];
  await expect(read(claim)).rejects.toThrow();
  const notSent = { original: { code: 'ratelimited', retryAfterMs: expect.any(Number) } };
  await expect(read(claim)).rejects.toMatchObject(notSent);
  expect(await read(next)).toMatchObject({ ok: true });
});

test('a person waits for Slack no longer than Slack waits for the bot, and an effect may take longer', async () => {
  const deadlines: number[] = [];
  const clients = createSlackClients(
    {
      find: async (workspace) => ({ workspace, botToken: 'xoxb-1', botUserId: 'U0' }),
      memberOf: async () => undefined,
    },
    {
      apiUrl: new URL('https://slack.example/api/'),
      logger: boltLogger(SILENT),
      send: async (_call, { deadlineMs }) => {
        deadlines.push(deadlineMs);
        return { type: 'answered', answer: { status: 200, headers: {}, body: '{"ok":true}' } };
      },
      rateLimits: createSlackRateLimits(createRateLimiter(), { postsPerMinute: 60 }, SILENT),
      tokenWatch: createTokenWatch(SILENT),
      monotonic: () => 0,
    },
  );
  await (await clients.interactive('T1')).auth.test();
  await clients.forEffect({ ...effect('slow'), workspace: 'T1' }, (client) => client.auth.test());
  expect(deadlines).toEqual([1_200, 7_000]);
});

test.each([
  ['at once if it is its turn', [], 0, true],
  ['after its turn has come', [4_000, 5_000], 9_000, true],
  ['not at all if its turn comes when the person has left', [4_000, 7_000], 4_000, false],
])('a Home tab is published %s', async (_when, waits, waitedMs, isPublished) => {
  let clock = 1_000;
  const publish = vi.fn(async () => ({ ok: true }));
  const turns = [...waits];
  const taken: unknown[] = [];
  const takeForMainCall = async (turn: object) => {
    taken.push(turn);
    return { ms: turns.shift() ?? 0 };
  };
  const sleep = async (ms: number) => {
    clock += ms;
  };
  const interactive = async () => ({ views: { publish } }) as unknown as webApi.WebClient;
  const view: types.HomeView = { type: 'home', blocks: [] };
  const rateLimits = { takeForMainCall } as Parameters<typeof createPublishView>[1];
  const published = createPublishView({ interactive }, rateLimits, { sleep, monotonic: () => clock });
  await published('T1', 'UANA', view).then(
    () => expect(isPublished).toBe(true),
    (error) => expect([isPublished, error.code]).toEqual([false, 'ratelimited']),
  );
  expect(clock - 1_000).toBe(waitedMs);
  expect(publish.mock.calls).toEqual(isPublished ? [[{ user_id: 'UANA', view }]] : []);
  // Each person has a place of their own in the line.
  expect(new Set(taken)).toEqual(
    new Set([{ workspace: 'T1', who: 'home UANA', main: { method: 'views.publish', channel: '' } }]),
  );
});
