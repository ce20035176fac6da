/** Starts the sandbox and the real bot for one test, connected by nothing but HTTP (or Socket Mode). */
import { expect, onTestFinished } from 'vitest';
import { copied } from '../../../sandbox/connect.ts';
import { appAddress, botEnvironment, type Transport } from '../../../sandbox/environment.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../../sandbox/lib/manifest.ts';
import { type OrderService, startOrderService } from '../../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { FieldValue } from '../../../sandbox/slack/people/seen.ts';
import { type Slack, startSlack } from '../../../sandbox/slack/start.ts';
import type { Overrides } from '../../../src/app.ts';
import { openAdapters } from '../../../src/compose/adapters.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { SILENT } from '../../../src/outbox/ports.ts';
import { capturedStream } from '../captured-stream.ts';
import { NO_LIMITS, NO_PACE, PATIENT } from '../no-limits.ts';
import { startRestartableBot } from './bot.ts';
import { connectStorage } from './connected-storage.ts';
import { leaksIn, readStored, secretsOf, watchJournal } from './secret-watch.ts';
import { type StorageKind, storageEnvironment } from './storage.ts';

export type HarnessOptions = {
  overrides?: Overrides;
  slack?: Partial<SlackOptions>;
  /** False: nobody has connected the workspace yet. */
  connected?: boolean;
  /** `oauth`: the app is installed nowhere at first, and no workspace is connected. */
  installing?: 'token' | 'oauth';
  transport?: Transport;
  /** With `redis`, the file or suite calls `needsRedis()`. */
  storage?: StorageKind;
  env?: Record<string, string>;
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

export async function startHarness(options: HarnessOptions = {}) {
  const { overrides = {}, installing = 'token', connected = installing === 'token', env = {} } = options;
  const { transport = 'http', storage = 'sqlite' } = options;
  const { port, watched, service, slack } = await startSandbox(installing, options.slack);
  const bot = botEnvironment({ slack, service }, { port, transport, credentials: installing });
  const metricsPort = await freePort();
  const watching = { METRICS_PORT: `${metricsPort}` };
  const environment = { ...bot, ...NO_PACE, ...watching, ...(await storageEnvironment(storage)), ...env };
  const config = readConfig(environment, false);
  /** Returns the metrics as Prometheus reads them. */
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const logged = capturedStream();
  slack.connectApp(appAddress(port, transport));
  const endpoint = connected ? await connectStorage(config, service) : undefined;
  const running = await startRestartableBot(config, overrides, logged.stream);

  onTestFinished(async () => {
    // A test may have stopped the bot.
    const shown = await metrics().catch(() => '');
    await running.stop();
    const closed = await Promise.allSettled([slack.close(), service.close()]);
    // A Redis that the test has started may have ended by now.
    const stored = env['STORAGE_URL'] === undefined ? await readStored(config) : '';
    const secrets = secretsOf(config, slack, watched);
    const texts = { 'the log': logged.text(), 'the metrics': shown, 'the storage': stored };
    expect(leaksIn({ texts, sent: watched.sent }, secrets)).toEqual([]);
    for (const each of closed) if (each.status === 'rejected') throw each.reason;
  });

  const [ana, ben, olga] = [slack.person('ana'), slack.person('ben'), slack.person('olga')];
  return {
    journal: watched.journal,
    service,
    slack,
    url: `http://127.0.0.1:${port}`,
    environment,
    config,
    logged,
    metrics,
    ana,
    ben,
    olga,
    endpoint,
    terminal: () => openTerminal(config),
    ...running,
    ...connectingSteps(service, olga),
    ...requestSteps(slack, ana),
  };
}

/** Starts Slack and the order service. @returns `port`: a free one for the bot */
async function startSandbox(installing: 'token' | 'oauth', options: Partial<SlackOptions> = {}) {
  const watched = watchJournal(createJournal());
  const { journal } = watched;
  const service = await startOrderService({ journal, eventRetryDelaysMs: [20, 20, 20, 20, 20] });
  const port = await freePort();
  const manifest = readManifest(`http://127.0.0.1:${port}`);
  const slack = await startSlack({
    journal,
    ...manifest,
    installed: installing === 'token',
    limits: NO_LIMITS,
    ...PATIENT,
    ...options,
  });
  return { port, watched, service, slack };
}

/** Opens the storage and the order service of the bot, as a terminal command does. */
async function openTerminal(config: Config) {
  const adapters = await openAdapters(config);
  onTestFinished(adapters.close);
  await adapters.storage.open(SILENT);
  return adapters;
}

/** The steps by which Olga, an admin, connects the workspace. */
function connectingSteps(service: OrderService, olga: Person) {
  /** Opens the form, and waits until it shows the fields for an admin. */
  async function openConnect() {
    await olga.command('/countermand connect', { channel: '#support' });
    return olga.waitForModal({ callback: 'connect' });
  }

  return {
    openConnect,
    /** Connects the workspace, and subscribes its endpoint at the order service. */
    async connect(more: Record<string, FieldValue> = {}) {
      await openConnect();
      await olga.submit({ token: SEED_TOKENS.acme.rest, ...more });
      const done = await olga.waitForModal(({ view }) => copied(view).length === 2);
      const [eventsUrl = '', secret = ''] = copied(done.view);
      await olga.closeModal();
      service.unsubscribe('acme-1');
      service.subscribe({ url: eventsUrl, secret });
      return { eventsUrl, secret };
    },
  };
}

/** The steps by which a person requests a cancellation, and what they then see in its thread. */
function requestSteps(slack: Slack, ana: Person) {
  const card = (order: string) =>
    slack.waitForMessage({ channel: '#support', text: `Cancel order ${order}` });

  return {
    /** Submits a request as a person does: command, form, submit. */
    async cancelOrder(order: string, { reason = 'Ordered twice', who = ana, channel = '#support' } = {}) {
      await who.command(`/cancel-order ${order} ${reason}`, { channel });
      await who.waitForModal();
      return who.submit();
    },
    card,
    /** Resolves once the card has this text, which is before the reply of that step or at the same time. */
    shows: (order: string, text: RegExp) =>
      slack.waitForMessage(
        (message) => message.text.startsWith(`Cancel order ${order}`) && text.test(message.text),
      ),
    /** Resolves with the reply in the thread of an order's card that has this text. */
    async reply(order: string, text: RegExp) {
      const { ts } = await card(order);
      return slack.waitForMessage({ channel: '#support', thread_ts: ts, text });
    },
    /** Returns the replies in the thread of an order's card, in order. */
    async replies(order: string) {
      const { ts } = await card(order);
      return slack
        .thread('#support', ts)
        .slice(1)
        .map(({ text }) => text);
    },
  };
}
