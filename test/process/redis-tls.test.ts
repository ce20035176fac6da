/** The bot as a process, since Node reads whom else to trust (NODE_EXTRA_CA_CERTS) when it starts. */
import { randomBytes } from 'node:crypto';
import { describe, expect, inject, onTestFinished, type TestContext, test } from 'vitest';
import { botEnvironment } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { MASTER } from '../support/redis/redis-sentinel.ts';
import { startTlsRedis } from '../support/redis/redis-tls.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

describe('a Redis over TLS (rediss://)', () => {
  needsRedis(true);

  /** @param names what its certificate is good for @param more environment, by the file of that certificate */
  async function start(
    { skip }: Pick<TestContext, 'skip'>,
    names: string,
    more: (certificate: string) => Record<string, string>,
    behindSentinel = false,
  ) {
    const redis = await startTlsRedis(names);
    if (typeof redis === 'string') return skip(redis);
    const journal = createJournal();
    const service = await startOrderService({ journal });
    const slack = await startSlack({ journal });
    const bot = startBot(inject('bundle'), {
      ...botEnvironment({ slack, service }, { port: await freePort() }),
      STORAGE_URL: behindSentinel
        ? `rediss+sentinel://${await redis.startSentinel()}/${MASTER}`
        : `rediss://127.0.0.1:${redis.port}`,
      SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
      // A bot that is killed leaves a folder there.
      TMPDIR: temporaryFolder(),
      ...more(redis.certificate),
    });
    onTestFinished(async () => {
      await bot.kill();
      await slack.close();
      await service.close();
      await redis.server.stop();
    });
    return bot;
  }

  test('is used where its certificate is trusted', async (context) => {
    const bot = await start(context, 'IP:127.0.0.1', (certificate) => ({ NODE_EXTRA_CA_CERTS: certificate }));
    await bot.ready;
    expect(bot.output()).toContain('"storage":"redis"');
  });

  test('is used where a sentinel leads to it, over TLS as well, and refused where nobody vouches for them', async (context) => {
    const trusting = (certificate: string) => ({ NODE_EXTRA_CA_CERTS: certificate });
    const bot = await start(context, 'IP:127.0.0.1', trusting, true);
    await bot.ready;
    expect(bot.output()).toContain('"storage":"redis"');
    const other = await start(context, 'IP:127.0.0.1', () => ({}), true);
    expect(await other.ended).toBe(1);
    expect(other.output()).toMatch(
      /could not start: .*Redis cannot be reached at STORAGE_URL \(no sentinel .*self-signed/,
    );
  });

  test('is refused in one sentence where nobody vouches for its certificate', async (context) => {
    const bot = await start(context, 'IP:127.0.0.1', () => ({}));
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /could not start: .*Redis cannot be reached at STORAGE_URL \(self-signed certificate/,
    );
  });

  test('is refused in one sentence where its certificate is for another name', async (context) => {
    const bot = await start(context, 'DNS:redis.example', (certificate) => ({
      NODE_EXTRA_CA_CERTS: certificate,
    }));
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toMatch(
      /could not start: .*Redis cannot be reached at STORAGE_URL \(Hostname\/IP does not match/,
    );
  });
});
