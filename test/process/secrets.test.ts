/**
 * A bot that runs with a mark in every secret, from its installation to its end: the marks appear nowhere but where they must
 * (promise 7 of docs/reliability.md). The end-to-end tests search for secrets, too (test/support/e2e/secret-watch.ts); here it
 * is a process with all of them at once, and with everything that it and the terminal commands write.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { connectAs } from '../../sandbox/connect.ts';
import { appAddress, botEnvironment, type Transport } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../sandbox/lib/manifest.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { openBrowser } from '../support/e2e/install-browser.ts';
import { leaksIn, watchJournal } from '../support/e2e/secret-watch.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

/** One of its own for each secret that is not made by Slack or the bot. */
const MARKS = {
  signing: 'marked-signing-secret-4711',
  client: 'marked-client-secret-4711',
  state: 'marked-state-secret-4711-of-32-or-more',
  token: 'order_rest_marked_4711',
  wrongToken: 'order_rest_marked_and_unknown_4711',
  redis: 'marked-redis-password-4711',
  key: 'marked-key-of-thirty-two-bytes-1',
  formerKey: 'marked-key-of-thirty-two-bytes-2',
};
/** Slack replaces a token that lasts for less than two hours. */
const SOON_OVER = 3_600;

type Where = { transport: Transport; storage: (data: string) => Promise<string> };

/** `data`: the folder in which all files of the storage are. */
const WHERE: Record<string, Where> = {
  'over HTTP, on SQLite': { transport: 'http', storage: async (data) => `sqlite:${data}/bot.db` },
  'over Socket Mode, on Redis': {
    transport: 'socket',
    async storage(data) {
      const options = ['--dir', data, '--requirepass', MARKS.redis];
      const redis = await startRedisServer(options);
      onTestFinished(redis.stop);
      return redis.url.replace('//', `//:${MARKS.redis}@`);
    },
  },
};

const keyOf = (mark: string) => Buffer.from(mark).toString('base64');

async function openWorld({ transport, storage }: Where) {
  const watched = watchJournal(createJournal());
  const { journal } = watched;
  const service = await startOrderService({ journal, eventRetryDelaysMs: [20, 20] });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const secrets = { signingSecret: MARKS.signing, clientSecret: MARKS.client };
  const slack = await startSlack({
    ...{ journal, ...readManifest(url), ...secrets },
    ...{ installed: false, tokenRotation: true },
  });
  slack.admin.setApp({ tokenLifetimeSeconds: SOON_OVER });
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });
  slack.connectApp(appAddress(port, transport));
  const [folder, data] = [temporaryFolder(), temporaryFolder()];
  const auditFile = join(folder, 'audit.jsonl');
  const env: Record<string, string> = {
    ...botEnvironment({ slack, service }, { port, transport, credentials: 'oauth' }),
    SLACK_STATE_SECRET: MARKS.state,
    SECRET_KEYS: `new:${keyOf(MARKS.key)},old:${keyOf(MARKS.formerKey)}`,
    STORAGE_URL: await storage(data),
    AUDIT_FILE: auditFile,
    METRICS_PORT: `${metricsPort}`,
    LOG_LEVEL: 'trace',
  };
  return { watched, service, slack, url, env, data, auditFile, metricsPort };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** Requests that end well, in a review, and with a refusal that quotes the token; calls and events that fail. */
async function play({ slack, service, env }: World, events: { url: string; secret: string }): Promise<void> {
  const ana = slack.person('ana');
  const request = async (order: string) => {
    await ana.command(`/cancel-order ${order} Ordered twice`, { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
  };
  const told = (text: RegExp) => slack.waitForMessage({ channel: '#support', text });
  await request('A-1001');
  await told(/Order A-1001 is cancelled/);
  const message = `The token ${MARKS.token} (${encodeURIComponent(MARKS.token)}) may not`;
  const body = { code: 'FORBIDDEN', message, details: { authorization: `Bearer ${MARKS.token}` } };
  service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 403, body } });
  await request('A-1002');
  await told(/^Cancel order A-1002.*Refused/s);
  service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } });
  await request('A-1003');
  await told(/^Cancel order A-1003.*unknown/is);
  slack.faults.schedule({ on: 'chat.update', fault: { type: 'error', code: 'internal_error' } });
  // Answered only once the card stands, the call must change it: a card posted after the answer is right at once.
  const answer = service.faults.schedule({ on: 'cancel_order', fault: { type: 'hold', when: 'after' } });
  await request('A-2001');
  await told(/^Cancel order A-2001/);
  answer.release();
  await told(/^Cancel order A-2001.*is reviewing/s);
  service.unsubscribe('acme-1');
  service.subscribe({ url: events.url, secret: 'marked-events-secret-4711-of-somebody' });
  await service.approve('A-2001').settled;
  service.unsubscribe('acme-2');
  service.subscribe(events);
  const forged = { body: 'command=%2Fcountermand', signingSecret: 'marked-and-wrong-4711' };
  if (env['SLACK_SIGNING_SECRET'] !== undefined) await slack.deliver(forged);
}

/** Everything that is printed by terminal commands that read, fail, or change what is stored. */
async function useTerminal({ env }: World): Promise<string> {
  const run = async (args: string[], input = '', more: Record<string, string> = {}) => {
    const { out, err, logged } = await runInTerminal({ ...env, ...more }, args, input);
    return [out, err, ...logged.map((line) => JSON.stringify(line))].join('\n');
  };
  const of = ['--workspace', SEED.team];
  const known = await run(['export', ...of]);
  expect(known).toContain('A-1002');
  return [
    known,
    await run(['doctor', '--json']),
    await run(['doctor'], '', { PORT: 'x' }),
    await run(['export', ...of, '--format', 'csv']),
    await run(['requests', 'list', ...of, '--json']),
    await run(['audit', ...of, '--json']),
    await run(['connect', ...of, '--token-stdin'], `${MARKS.wrongToken}\n`),
    await run(['connect', ...of, '--token-stdin'], `${MARKS.token} ${MARKS.token}\n`),
    await run(['rotate-keys']),
    await run(['upgrade-storage']),
    await run(['purge', ...of]),
  ].join('\n');
}

const filesIn = (folder: string): string =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

describe('no mark of a secret appears anywhere', () => {
  needsRedis(true);

  test.each(Object.entries(WHERE))('%s', async (_name, where) => {
    const world = await openWorld(where);
    const { watched, service, slack, env } = world;
    const bot = startBot(inject('bundle'), env);
    onTestFinished(async () => void (await bot.kill()));
    await bot.ready;
    await openBrowser(world).install();
    const former = slack.installation().token;
    const events = await connectAs(slack.person('olga'), slack, service.issueToken({ token: MARKS.token }));
    service.subscribe(events);
    await play(world, events);
    await expect.poll(() => slack.installation().token).not.toBe(former);
    const printed = await useTerminal(world);
    const metrics = await (await fetch(`http://127.0.0.1:${world.metricsPort}/metrics`)).text();
    await expect.poll(() => readFileSync(world.auditFile, 'utf8')).toContain('"act":"connected"');
    const whileConnected = filesIn(world.data);

    const olga = slack.person('olga');
    await olga.command('/countermand disconnect', { channel: '#support' });
    await olga.waitForModal({ callback: 'disconnect' });
    await olga.submit();
    await expect.poll(() => bot.output()).toContain('workspace disconnected');
    await bot.kill('SIGTERM');
    // With another key nothing can be opened: the start says so.
    const locked = startBot(inject('bundle'), { ...env, SECRET_KEYS: `other:${keyOf(MARKS.formerKey)}` });
    onTestFinished(async () => void (await locked.kill()));
    await expect.poll(() => locked.output()).toContain('secrets of some workspaces cannot be opened');
    await locked.kill('SIGTERM');

    const texts = {
      'the log': bot.output() + locked.output(),
      'the terminal': printed,
      'the metrics': metrics,
      'the audit stream': readFileSync(world.auditFile, 'utf8'),
      'the files of the storage': whileConnected + filesIn(world.data),
    };
    for (const text of Object.values(texts)) expect(text.length).toBeGreaterThan(100);
    const { accessTokens, refreshTokens } = slack.world;
    const secrets = new Set([
      ...Object.values(MARKS),
      ...[keyOf(MARKS.key), keyOf(MARKS.formerKey), env['SLACK_APP_TOKEN'] ?? MARKS.signing],
      ...[...watched.secrets, ...accessTokens.keys(), ...refreshTokens.keys()],
    ]);
    expect(secrets.size).toBeGreaterThan(Object.keys(MARKS).length + 6);
    expect(leaksIn({ texts, sent: watched.sent }, secrets)).toEqual([]);
  });
});
