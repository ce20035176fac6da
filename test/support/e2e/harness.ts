/** Starts the sandbox and the real bot for one test, connected by nothing but HTTP (or Socket Mode). */
import { Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { appAddress, botEnvironment } from '../../../sandbox/environment.ts';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { readManifest } from '../../../sandbox/lib/manifest.ts';
import { startOrderService } from '../../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import type { SlackOptions } from '../../../sandbox/slack/options.ts';
import type { FieldValue } from '../../../sandbox/slack/people/form/see-modal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { createApp, type Overrides } from '../../../src/app.ts';
import { openAdapters } from '../../../src/compose/adapters.ts';
import { readConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/log/logger.ts';
import { TIMINGS } from '../../../src/requests/model/pending-effects.ts';
import { leaksIn, listenIn, readStored, secretsOf } from './secret-watch.ts';
import { storageEnvironment } from './storage.ts';

export type HarnessOptions = {
  overrides?: Overrides;
  slack?: Partial<SlackOptions>;
  /** False: nobody has connected the workspace yet. */
  connected?: boolean;
  /** By `oauth` it is installed nowhere at first, and nobody has connected anything. */
  installing?: 'token' | 'oauth';
  env?: Record<string, string>;
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/**
 * The sweep is off and a doubtful post is looked for soon: what a test sees was done by triggers, and no test waits
 * half a minute.
 */
const OVERRIDES: Overrides = {
  timings: { ...TIMINGS, doubtMs: 100 },
  runner: { sweepMs: 3_600_000 },
};

export async function startHarness({
  overrides = {},
  installing = 'token',
  connected = installing === 'token',
  env = {},
  ...options
}: HarnessOptions = {}) {
  const overheard = listenIn(createJournal());
  const { journal } = overheard;
  const service = await startOrderService({ journal, eventRetryDelaysMs: [20, 20, 20, 20, 20] });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const installed = installing === 'token';
  const slack = await startSlack({ journal, ...readManifest(url), installed, ...options.slack });
  const stored = { ...(await storageEnvironment()), ...env };
  const config = readConfig(
    { ...botEnvironment({ slack, service }, { port, credentials: installing }), ...stored },
    false,
  );
  const logged = capture();
  const start = async (changed: Overrides = overrides) => {
    const app = await createApp(
      config,
      await createLogger({ level: 'debug', pretty: false }, logged.stream),
      {
        ...OVERRIDES,
        ...changed,
      },
    );
    await app.start();
    return app;
  };
  slack.connectApp(appAddress(port));
  let app = await start();

  onTestFinished(async () => {
    await app.stop();
    await slack.close();
    await service.close();
    // A storage that a test has brought is the test's to end.
    const stored = env['STORAGE_URL'] === undefined ? await readStored(config) : '';
    const secrets = secretsOf(config, slack, overheard);
    expect(leaksIn({ log: logged.text(), stored, said: overheard.said }, secrets)).toEqual([]);
  });

  const [ana, ben, olga] = [slack.person('ana'), slack.person('ben'), slack.person('olga')];

  /** The form, once it is known that Olga is an admin, and what is set already. */
  async function openConnect() {
    await olga.command('/countermand connect', { channel: '#support' });
    return olga.waitForModal(({ callback_id }) => callback_id === 'connect');
  }

  /** Connects the workspace as an admin, and subscribes its endpoint at the order service. */
  async function connect(more: Record<string, FieldValue> = {}) {
    await openConnect();
    await olga.submit({ token: SEED_TOKENS.acme.rest, ...more });
    const done = await olga.waitForModal(({ view }) => codes(view).length === 2);
    const [eventsUrl = '', secret = ''] = codes(done.view);
    await olga.closeModal();
    service.unsubscribe('acme-1');
    service.subscribe({ url: eventsUrl, secret });
    return { eventsUrl, secret };
  }

  /** Submits a request as a person does: command, form, submit. */
  async function cancelOrder(
    order: string,
    { reason = 'Ordered twice', who = ana, channel = '#support' } = {},
  ) {
    await who.command(`/cancel-order ${order} ${reason}`, { channel });
    await who.waitForModal();
    return who.submit();
  }

  const card = (order: string) =>
    slack.waitForMessage({ channel: '#support', text: `Cancel order ${order}` });

  /** A reply in the thread of an order's card, as soon as there is one that reads so. */
  async function reply(order: string, text: RegExp) {
    const { ts } = await card(order);
    return slack.waitForMessage({ channel: '#support', thread_ts: ts, text });
  }

  /** The card, as soon as it reads so: it is shown before its step's reply is posted, or at the same time. */
  const shows = (order: string, text: RegExp) =>
    slack.waitForMessage(
      (message) => message.text.startsWith(`Cancel order ${order}`) && text.test(message.text),
    );

  /** The same storage and the same service, as somebody at the terminal has them. */
  async function terminal() {
    const adapters = await openAdapters(config);
    onTestFinished(adapters.close);
    await adapters.storage.open({ debug() {}, info() {}, warn() {}, error() {} });
    return adapters;
  }

  const endpoint = connected ? await connect() : undefined;
  return {
    journal,
    service,
    slack,
    url,
    config,
    logged,
    ana,
    ben,
    olga,
    endpoint,
    terminal,
    openConnect,
    connect,
    cancelOrder,
    card,
    reply,
    shows,
    /** Returns the replies in the thread of an order's card, in order. */
    async replies(order: string) {
      const { ts } = await card(order);
      return slack
        .thread('#support', ts)
        .slice(1)
        .map(({ text }) => text);
    },
    /** @param meanwhile happens while there is no bot */
    async restart(changed: Overrides = overrides, meanwhile = () => {}) {
      await app.stop();
      meanwhile();
      app = await start(changed);
    },
    stop: () => app.stop(),
    /** Returns the routes of the bot's server. */
    routes: () => app.routes.map(({ method, path }) => `${method} ${path}`),
  };
}

/** The preformatted texts of a view: what a person copies. */
function codes(view: { blocks: readonly unknown[] }): string[] {
  const texts = JSON.stringify(view.blocks).matchAll(
    /"rich_text_preformatted","elements":\[\{"type":"text","text":"([^"]+)"/g,
  );
  return [...texts].map(([, text]) => text ?? '');
}

function capture() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => lines.join('') };
}
