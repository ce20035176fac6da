/** However much is stored, whatever a person or an event triggers reads only what it is about. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Adapters, openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import { subjectOf } from '../../src/requests/model/record.ts';
import { Database } from '../../src/storage/sqlite/connection.ts';
import { requestedBySibling } from '../../src/workspaces/connection/connections.ts';
import { forgetWorkspace } from '../../src/workspaces/installation/forget.ts';
import type { NewInstallation } from '../../src/workspaces/installation/installations.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { commandsSent } from '../support/redis/commands-sent.ts';
import { emptyRedis, needsRedis } from '../support/redis/redis.ts';
import { event, queued } from '../support/requests/records.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

needsRedis();

const ENVIRONMENT = {
  PUBLIC_URL: 'https://bot.example',
  ORDER_SERVICE_URL: 'https://orders.example',
  SLACK_SIGNING_SECRET: 'secret',
  SLACK_BOT_TOKEN: 'xoxb-1',
};

const sqlite = async () => ({ STORAGE_URL: `sqlite:${join(temporaryFolder(), 'bot.db')}` });
const redis = async () => redisEnvironment(await emptyRedis());

async function open(environment: Record<string, string>): Promise<Adapters> {
  const adapters = await openAdapters(readConfig({ ...ENVIRONMENT, ...environment }, false));
  onTestFinished(adapters.close);
  await adapters.storage.open(SILENT);
  return adapters;
}

const installation = (id: string): NewInstallation => ({
  id,
  orgWide: id.startsWith('E'),
  tokens: { bot: `xoxb-${id}` },
  scopes: [],
  botUserId: 'U1',
  installedBy: 'U2',
});

async function connectAs({ connections }: Adapters, workspace: string, token: string) {
  const how = { tokenKind: 'rest', exclusive: true, connectedBy: 'U1', connectedAt: 1 } as const;
  const named = { generation: workspace, endpoint: `endpoint of ${workspace}`, secret: 'secret' };
  await connections.save({ ...how, ...named, workspace, token }, undefined);
}

/** T1 and T2 hold one token and belong to E1; of the others, each holds its own and has an organization of its own. */
async function fill(adapters: Adapters, others: number) {
  await connectAs(adapters, 'T1', 'shared');
  await connectAs(adapters, 'T2', 'shared');
  for (const id of ['T1', 'T2']) await adapters.organizations.learn(id, 'E1');
  for (let n = 0; n < others; n++) {
    await connectAs(adapters, `TX${n}`, `token ${n}`);
    await adapters.installations.add(installation(`TX${n}`));
    await adapters.organizations.learn(`TX${n}`, `EX${n}`);
  }
}

/** Operations triggered by a person or an event that touch more than one row. Those that remove something come last. */
const PATHS: Record<string, (adapters: Adapters) => Promise<unknown>> = {
  'an event finds its endpoint': ({ connections }) => connections.findByEndpoint('T1~endpoint of T1'),
  'an event that nobody asked for': ({ connections, storage }) =>
    requestedBySibling(
      { connections, listBySubject: storage.requests.listBySubject },
      { workspace: 'T1', kind: 'cancel_order', event: event({ target: 'A-9' }) },
    ),
  'an admin is told whether a token is shared': ({ planDisconnect }) => planDisconnect('T1'),
  'an organization is looked up': ({ organizations }) => Array.fromAsync(organizations.workspaces('E1')),
  'requests for an order': ({ storage }) =>
    storage.requests.listBySubject('T1', subjectOf('cancel_order', 'A-9'), 50),
  'a workspace leaves': ({ forgets }) => forgetWorkspace(forgets, 'T1'),
  'an organization leaves': ({ organizations }) => organizations.forget('E1'),
};

/** On a busy machine a script may come too late, and is sent again with another deadline: the argument behind its keys. */
const sentAgainAs = (args: readonly string[]): string | undefined =>
  args[0] === 'EVALSHA' ? JSON.stringify(args.toSpliced(3 + Number(args[2]), 1)) : undefined;

describe('in Redis', () => {
  async function opened(others: number) {
    const environment = await redis();
    const adapters = await open(environment);
    await fill(adapters, others);
    return async (path: (adapters: Adapters) => Promise<unknown>): Promise<string[]> => {
      const sent = await commandsSent(environment.STORAGE_URL, () => path(adapters));
      const once = new Map(sent.map((each, n) => [sentAgainAs(each.args) ?? n, each.command]));
      // The first call of a script sends its text as well, and INFO is asked at intervals, whatever is being done.
      return [...once.values()].filter((command) => !['EVAL', 'INFO'].includes(command)).sort();
    };
  }

  test('a path takes as many commands among many workspaces as among few', async () => {
    const [few, many] = [await opened(1), await opened(120)];
    for (const [name, path] of Object.entries(PATHS)) {
      const among = [await few(path), await many(path)];
      expect(among[0]?.length).toBeGreaterThan(0);
      expect([name, among[1]]).toEqual([name, among[0]]);
      for (const scan of ['SCAN', 'KEYS', 'HGETALL']) expect(among[1]).not.toContain(scan);
    }
  });
});

describe('in SQLite', () => {
  test('no statement looks through a whole table, or is compiled for each use, whatever it is prepared for', async () => {
    const written = vi.spyOn(Database.prototype, 'statement');
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    onTestFinished(() => {
      written.mockRestore();
      prepared.mockRestore();
    });
    const environment = await sqlite();
    const adapters = await open(environment);
    await fill(adapters, 1);
    for (const path of Object.values(PATHS)) await path(adapters);
    await adapters.storage.requests.due(10);
    await adapters.storage.ping();
    await adapters.storage.requests.get(queued());
    const statements = new Set([...written.mock.calls, ...prepared.mock.calls].map(([sql]) => sql));
    prepared.mockRestore();
    expect(statements.size).toBeGreaterThan(40);
    const database = new DatabaseSync(environment.STORAGE_URL.slice('sqlite:'.length));
    onTestFinished(() => database.close());
    const scans = [...statements]
      .filter((sql) => !sql.startsWith('PRAGMA') && !sql.includes('FROM sqlite_schema'))
      // One row is enough for these.
      .filter((sql) => !/^SELECT 1 FROM \w+ (WHERE .*)?LIMIT 1$/.test(sql))
      .flatMap((sql) =>
        database
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => `${detail}: ${sql}`)
          // `listed`: what a recursive statement has found itself, a row at a time.
          .filter((plan) => /^SCAN (?!\(subquery|CONSTANT ROW|json_each|listed)/.test(plan)),
      );
    expect(scans).toEqual([]);
    // SQLite compiles a statement anew if this value changes (`LIMIT` in sqlite/connection.ts).
    expect([...statements].filter((sql) => /LIMIT \?/.test(sql))).toEqual([]);
  });
});
