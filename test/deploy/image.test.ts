/** The image and compose.yaml, as far as they can be tried without a builder: docs/deploying.md. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { connect } from '../../sandbox/connect.ts';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { readConfig } from '../../src/config.ts';
import { runDocumented } from '../process/support/documented.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { needsBubblewrap, runConfined, startConfined } from './support/confined.ts';
import { buildImage, copyContext } from './support/dockerfile.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
/** It copies all dependencies, and fetches those that have changed. */
const BUILDING = { timeout: 600_000 };

type Compose = {
  services: Record<'countermand' | 'redis', { command?: string[]; read_only?: boolean; volumes?: string[] }>;
};
const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as Compose;

needsRedis(true);
needsBubblewrap();

/** Redis as compose.yaml starts it, with the file of users that the documented commands have made. */
async function startComposedRedis(folder: string) {
  const data = join(folder, 'redis');
  mkdirSync(data);
  const [, ...args] = services.redis.command ?? [];
  const inFolder = args.map((arg) => (arg === '/etc/redis/users.acl' ? join(folder, 'users.acl') : arg));
  const server = await startRedisServer([...inFolder, '--dir', data]);
  onTestFinished(server.stop);
  return server;
}

/** Anybody may pass through these folders, as through those of an image. */
function openFolder(...path: string[]): string {
  const folder = join(temporaryFolder(), ...path);
  mkdirSync(folder, { recursive: true });
  chmodSync(join(folder, ...path.map(() => '..')), 0o755);
  return folder;
}

test(
  'the commands of the image and of its page lead to a bot that works on the Redis of compose.yaml',
  BUILDING,
  async () => {
    const context = openFolder('context');
    copyContext(context);
    const image = await buildImage(openFolder('stages'), context, { COUNTERMAND_COMMIT: COMMIT });
    expect(image.user).toBe(1000);
    expect(services.countermand.read_only).toBe(true);

    const folder = openFolder('compose');
    mkdirSync(join(folder, 'deploy'));
    copyFileSync(join(ROOT, 'deploy/users.acl'), join(folder, 'deploy/users.acl'));
    const commands = ['Prepare Redis', 'Prepare compose'];
    runDocumented(commands, folder, {}, { page: 'docs/deploying.md' });
    const redis = await startComposedRedis(folder);
    const written = parseEnv(readFileSync(join(folder, '.env'), 'utf8')) as Record<string, string>;
    const { STORAGE_URL = '', ...others } = written;
    const secrets = openFolder('secrets');
    writeFileSync(join(secrets, 'storage_url'), STORAGE_URL.replace('redis:6379', new URL(redis.url).host));

    const journal = createJournal();
    const [service, slack] = [await startOrderService({ journal }), await startSlack({ journal })];
    onTestFinished(async () => {
      await slack.close();
      await service.close();
    });
    const port = await freePort();
    const given = { ...image.env, ...botEnvironment({ slack, service }, { port }) };
    const { storage } = readConfig(given, false);
    expect(storage.type === 'sqlite' && resolve(image.workdir, storage.path)).toBe('/data/countermand.db');
    expect(image.folders['/data']?.isWritable).toBe(true);
    const env = {
      ...given,
      ...others,
      STORAGE_URL_FILE: '/run/secrets/storage_url',
    };
    const folders = { ...image.folders, '/run/secrets': { from: secrets, isWritable: false } };
    const confined = { env, folders, cwd: image.workdir, user: image.user };
    const bot = startConfined({ ...confined, command: image.entrypoint });
    await expect.poll(bot.output).toContain('Countermand is ready');
    expect(bot.output()).toContain(`"commit":"${COMMIT}"`);

    slack.connectApp(appAddress(port));
    await connect({ slack, service });
    const ana = slack.person('ana');
    await ana.command('/cancel-order A-1001 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await ana.submit();
    await slack.waitForMessage({ channel: '#support', text: /Order A-1001 is cancelled/ });
    await runConfined({ ...confined, command: image.healthcheck });
    await bot.terminate();
    expect(await bot.ended).toBe(0);
    await expect(runConfined({ ...confined, command: image.healthcheck })).rejects.toThrow('ended with 1');
  },
);
