/** The terminal commands that begin and end what is kept, as processes beside a bot that runs. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { connect } from '../../sandbox/connect.ts';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../sandbox/lib/manifest.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { SCOPES } from '../../src/slack/client/access.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { PATIENT } from '../support/no-limits.ts';
import { runInTerminal } from '../support/processes/terminal.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { readRaw } from '../support/storage/raw-storage.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { runDocumented } from './support/documented.ts';

const secretKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

/** @param more of its environment */
async function sandbox(more: Record<string, string> = {}) {
  const journal = createJournal();
  const service = await startOrderService({ journal });
  const slack = await startSlack({ journal, ...readManifest(), ...PATIENT });
  const port = await freePort();
  onTestFinished(async () => {
    await slack.close();
    await service.close();
  });
  const database = join(temporaryFolder(), 'bot.db');
  const env = { ...botEnvironment({ slack, service }, { port, database, transport: 'http' }), ...more };
  slack.connectApp(appAddress(port, 'http'));

  const start = (changed: Record<string, string> = {}, ...args: string[]) => {
    const bot = startBot(inject('bundle'), { ...env, ...changed }, args);
    onTestFinished(async () => void (await bot.kill()));
    return bot;
  };
  const run = (changed: Record<string, string>, ...args: string[]) =>
    runInTerminal({ ...env, ...changed }, args);
  const config = (changed: Record<string, string> = {}) => readConfig({ ...env, ...changed }, false);

  /** Makes a request, and waits for the answer of the service. */
  async function cancelOrder(order: string, reason = 'Ordered twice') {
    const ana = slack.person('ana');
    await ana.command(`/cancel-order ${order} ${reason}`, { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    return slack.waitForMessage({
      channel: '#support',
      text: new RegExp(`(reviewing .*${order}|${order} is)`),
    });
  }

  return { database, start, run, config, cancelOrder, connect: () => connect({ slack, service }) };
}

describe('countermand rotate-keys', () => {
  const MANY = 200;

  /** A storage with many connections, sealed by `key`. */
  async function sealMany({ config }: Awaited<ReturnType<typeof sandbox>>, key: string) {
    const { connections, close } = await openAdapters(config({ SECRET_KEYS: key }));
    const rest = { tokenKind: 'rest', exclusive: false, connectedBy: 'U1', connectedAt: 1 } as const;
    for (let i = 0; i < MANY; i++) {
      const names = { workspace: `T${i}`, generation: `${i}`, endpoint: `e${i}` };
      await connections.save({ ...rest, ...names, token: `token-${i}`, secret: `secret-${i}` }, undefined);
    }
    await close();
  }

  test('that was killed in the middle is taken up by the next one', async () => {
    const harness = await sandbox();
    const [old, fresh] = [secretKey('old'), secretKey('fresh')];
    await sealMany(harness, old);
    const sealedBy = async (id: string) =>
      (await readRaw(harness.config().storage)).filter(
        (line) => line.startsWith('connections ') && line.includes(`v1.${id}.`),
      ).length;
    const keys = { SECRET_KEYS: `${fresh},${old}` };
    const first = harness.start(keys, 'rotate-keys');
    await expect.poll(() => sealedBy('fresh'), { interval: 1 }).toBeGreaterThan(0);
    await first.kill('SIGKILL');
    const done = await sealedBy('fresh');
    expect(done).toBeLessThan(MANY);
    const second = await harness.run(keys, 'rotate-keys');
    expect(second).toMatchObject({
      code: 0,
      err: '',
      out: `Secrets encrypted again: ${MANY - done}. Already encrypted with the first key: ${done}.\n`,
    });
    expect(await sealedBy('old')).toBe(0);
    const { connections, close } = await openAdapters(harness.config({ SECRET_KEYS: fresh }));
    for await (const workspace of connections.ids()) {
      const found = await connections.find(workspace);
      expect(found && (await connections.token(found))).toBe(workspace.replace('T', 'token-'));
    }
    await close();
  });

  test('works beside the bot, which goes on with either key and then with the new one alone', async () => {
    const harness = await sandbox();
    const [old, fresh] = [secretKey('old'), secretKey('fresh')];
    const before = harness.start({ SECRET_KEYS: old });
    await before.ready;
    await harness.connect();
    await before.kill('SIGTERM');
    const both = harness.start({ SECRET_KEYS: `${fresh},${old}` });
    await both.ready;
    await harness.cancelOrder('A-1001');
    const rotated = await harness.run({ SECRET_KEYS: `${fresh},${old}` }, 'rotate-keys');
    expect(rotated).toMatchObject({
      code: 0,
      err: '',
      out: 'Secrets encrypted again: 1. Already encrypted with the first key: 0.\n',
      logged: [{ msg: 'keys rotated', user: 'terminal', from: ['old'], to: 'fresh', resealed: 1 }],
    });
    await harness.cancelOrder('A-1002');
    await both.kill('SIGTERM');
    await harness.start({ SECRET_KEYS: fresh }).ready;
    await harness.cancelOrder('A-1003');
  });

  test('takes several keys from the key file, too, and says whose secrets it could not open', async () => {
    const harness = await sandbox();
    const bot = harness.start();
    await bot.ready;
    await harness.connect();
    const file = `${harness.database}.key`;
    expect(existsSync(file)).toBe(true);
    const made = readFileSync(file, 'utf8').trim();
    const fresh = secretKey('fresh');
    writeFileSync(file, `${fresh},${made}\n`);
    expect(await harness.run({}, 'rotate-keys')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/again: 1\./),
    });
    writeFileSync(file, `${secretKey('other')}\n`);
    const failed = await harness.run({}, 'rotate-keys');
    expect(failed).toMatchObject({
      code: 1,
      out: 'Secrets encrypted again: 0. Already encrypted with the first key: 0.\n',
    });
    expect(failed.err).toContain(`The secrets of ${SEED.team} could not be decrypted`);
    writeFileSync(file, `${fresh}\n`);
    expect(await harness.run({}, 'rotate-keys')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/first key: 1\./),
    });
  });

  test('has nothing left to name once a lost key was replaced as documented, and the workspace connected', async () => {
    const harness = await sandbox();
    const first = harness.start();
    await first.ready;
    await harness.connect();
    await first.kill('SIGTERM');
    const file = `${harness.database}.key`;
    rmSync(file);
    const none = harness.start();
    none.ready.catch(() => {});
    expect(await none.ended).toBe(1);
    expect(none.output()).toContain('key file');
    runDocumented('A lost key', dirname(file), {}, { replaced: { 'data/countermand.db.key': file } });
    await harness.start().ready;
    expect((await harness.run({}, 'rotate-keys')).code).toBe(1);
    await harness.connect();
    expect(await harness.run({}, 'rotate-keys')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/first key: 1\./),
    });
    await harness.cancelOrder('A-2001');
  });
});

/** The lines of an export: the requests, and after them the audit trail. */
function exportedOf(jsonl: string) {
  const lines = jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ type }) => type === 'request');
  const entries = lines.slice(requests.length);
  expect(entries.every(({ type }) => type === 'audit_entry')).toBe(true);
  return { requests, entries };
}

const STORAGES: Record<string, () => Promise<Record<string, string>>> = {
  SQLite: async () => ({}),
  Redis: async () => redisEnvironment(await emptyRedis()),
};

describe.for(Object.entries(STORAGES))('countermand export and purge, with %s', ([name, storage]) => {
  if (name === 'Redis') needsRedis();

  test('give out all requests of a workspace, and then nothing of it is left', async () => {
    const harness = await sandbox(await storage());
    await harness.start().ready;
    await harness.connect();
    await harness.cancelOrder('A-1001', '=HYPERLINK("https://evil.example"), he said');
    await harness.cancelOrder('A-2001');
    const named = ['--workspace', SEED.team];

    const exported = harness.start({}, 'export', ...named);
    expect(await exported.ended).toBe(0);
    const { requests, entries } = exportedOf(exported.output());
    expect(entries.map(({ act }) => act)).toContain('connected');
    expect(requests.map(({ target, state }) => [target, state])).toEqual([
      ['A-2001', 'under_review'],
      ['A-1001', 'canceled'],
    ]);
    const csv = await harness.run({}, 'export', ...named, '--format', 'csv');
    expect([csv.code, csv.err]).toEqual([0, '']);
    expect(csv.out).toContain('"\'=HYPERLINK(""https://evil.example""), he said"');
    expect(csv.out.trimEnd().split('\r\n')).toHaveLength(7);

    const plan = await harness.run({}, 'purge', ...named);
    expect(plan).toMatchObject({ code: 0, err: '' });
    expect(plan.out).toMatch(/requests: 2, of which open: 1\n.*notices.*: \d+\n.*connection.*: yes\n/s);
    expect(plan.out).toContain(`countermand disconnect --workspace ${SEED.team} --yes`);
    const again = exportedOf((await harness.run({}, 'export', ...named)).out);
    expect(again.requests).toEqual(requests);
    // An export is an act itself.
    expect(again.entries.length).toBeGreaterThan(entries.length);

    const purged = await harness.run({}, 'purge', ...named, '--yes');
    expect(purged).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/is removed\..*was not revoked/s),
    });
    // Work in progress at that moment ends by itself.
    const ids = [SEED.team, 'A-1001', 'A-2001', ...requests.map(({ id }) => id)];
    const left = async () =>
      (await readRaw(harness.config().storage)).filter((line) => ids.some((id) => line.includes(id)));
    await expect.poll(left).toEqual([]);
    const unknown = {
      code: 1,
      out: '',
      err: `Countermand stores nothing about ${SEED.team}. Check the id.\n`,
    };
    for (const command of [['purge', '--yes'], ['purge'], ['export']])
      expect(await harness.run({}, ...command, ...named)).toMatchObject(unknown);
  });
});

test('countermand purge shows a connection that is ended, but still waits for an outcome', async () => {
  const harness = await sandbox();
  await harness.start().ready;
  await harness.connect();
  await harness.cancelOrder('A-2001');
  const named = ['--workspace', SEED.team];
  expect((await harness.run({}, 'disconnect', ...named, '--yes')).code).toBe(0);
  const plan = await harness.run({}, 'purge', ...named);
  expect(plan.out).toContain('  connection to the order service: disconnected;');
  expect(plan.out).not.toContain('API token');
});

describe.for(Object.entries(STORAGES))('countermand purge of an organization, with %s', ([name, storage]) => {
  if (name === 'Redis') needsRedis();

  /** E1 has T1 and T2; T3 is nobody's. All of them are installed but T2, and the three are connected. */
  async function withOrganization() {
    const harness = await sandbox(await storage());
    const adapters = await openAdapters(harness.config());
    onTestFinished(adapters.close);
    await adapters.storage.open(SILENT);
    const { installations, organizations, connections } = adapters;
    for (const id of ['E1', 'T1', 'T3']) {
      const bot = {
        tokens: { bot: `xoxb-${id}` },
        scopes: SCOPES,
        botUserId: 'U9',
        installedBy: 'U1',
      };
      await installations.add({ id, orgWide: id === 'E1', ...bot });
    }
    for (const id of ['T1', 'T2', 'T3']) {
      const how = { tokenKind: 'rest', exclusive: false, connectedBy: 'U1', connectedAt: 1 } as const;
      const named = { workspace: id, generation: id, endpoint: `endpoint ${id}`, secret: `secret ${id}` };
      await connections.save({ ...how, ...named, token: `token ${id}` }, undefined);
      if (id !== 'T3') await organizations.learn(id, 'E1');
    }
    const left = async () => {
      const lines = await readRaw(harness.config().storage);
      // The records of what a bot would sweep later stay.
      return lines.filter((line) => /\b(E1|T1|T2)\b/.test(line) && !/lock|uninstalls/.test(line));
    };
    return { ...harness, adapters, left };
  }

  test('names its workspaces and removes what is kept about all of them, and of no other', async () => {
    const { run, adapters, left } = await withOrganization();
    const planned = await run({}, 'purge', '--workspace', 'E1');
    expect(planned).toMatchObject({ code: 0, err: '' });
    expect(planned.out).toContain('Its workspaces, as far as Countermand knows them: T1, T2.');
    for (const id of ['E1', 'T1', 'T2']) expect(planned.out).toContain(`stores about ${id}:`);
    expect(planned.out).toContain('countermand disconnect --workspace T2 --yes');
    expect(await left()).not.toEqual([]);
    const purged = await run({}, 'purge', '--workspace', 'E1', '--yes');
    expect(purged).toMatchObject({ code: 0, err: '' });
    expect(purged.out).toContain('about E1, T1, T2 is removed');
    expect(purged.out).toContain('The installation of E1, T1 is removed, too');
    expect(purged.out).toContain('The API token of T1, T2 was not revoked');
    expect(await left()).toEqual([]);
    for (const id of ['E1', 'T1', 'T2']) expect(await adapters.storage.uninstalls.count(id)).toBe(1);
    expect(await Array.fromAsync(adapters.installations.ids())).toEqual(['T3']);
    expect(await Array.fromAsync(adapters.connections.ids())).toEqual(['T3']);
  });

  test('waits for whoever is at work on the installation', async () => {
    const { start, run, adapters, left } = await withOrganization();
    const claim = await adapters.installations.claim('T1', 'removing', { ms: 60_000 });
    const purging = start({}, 'purge', '--workspace', 'E1', '--yes');
    await expect.poll(() => adapters.installations.has('E1')).toBe(false);
    expect(await Array.fromAsync(adapters.installations.ids())).toContain('T1');
    await claim?.release();
    expect(await purging.ended).toBe(0);
    expect(await left()).toEqual([]);
    expect(await run({}, 'export', '--workspace', 'E1')).toMatchObject({ code: 1, out: '' });
  });
});
