/** One run of a job, the main one being a reviewed cancellation, with the bot killed at a chosen point and started again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { type BotProcess, startBot } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal, type JournalEntry } from '../../sandbox/lib/http/journal.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { SILENT } from '../../src/cli/command.ts';
import { openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { STEP_METADATA } from '../../src/slack/blocks/ids.ts';

/** The n-th call of a name since the agent began to ask, before or after it has its effect. */
export type KillPoint = { name: string; nth: number; when: 'before' | 'after' };

export type RunReport = {
  point: KillPoint | undefined;
  /** The calls of the bot since the agent began to ask, in order. */
  outside: string[];
  /** Calls that reached the service. */
  calls: number;
  /** Messages in Slack, by step; step 0 is the card. */
  messages: Record<string, number>;
  /** Steps whose reply is missing. */
  missing: number[];
  state: string;
};

/** `first`: how the first reply may read. `reviewed`: whether a review follows, which approves it. */
type Job = { operation: string; target: string; line: string; first: RegExp; reviewed: boolean };

const JOBS = {
  cancel_order: {
    operation: 'cancel_order',
    target: 'A-2001',
    line: '/cancel-order A-2001 Ordered twice',
    first: /is reviewing it|may or may not be cancelled|refused the request/,
    reviewed: true,
  },
  send_offer: {
    operation: 'send_offer',
    target: 'O-3001',
    line: '/send-offer O-3001',
    first: /is sent to the customer|may or may not be sent|refused the request/,
    reviewed: false,
  },
} satisfies Record<string, Job>;

const PATIENCE_MS = 30_000;

export type RunOptions = { job?: keyof typeof JOBS; point?: KillPoint; claims?: boolean };

export async function run(options: RunOptions = {}): Promise<RunReport> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-crash-'));
  const harness = await openHarness(folder, JOBS[options.job ?? 'cancel_order'], options.claims ?? true);
  try {
    const begun = harness.journal.entries().length;
    if (options.point) harness.killAt(options.point);
    await harness.play();
    return harness.report(begun, options.point);
  } finally {
    await harness.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Connects the workspace as `countermand connect` does, before there is a bot. @returns where its events go */
async function connect(env: Record<string, string>) {
  const parts = await openAdapters(readConfig(env, false));
  try {
    await parts.storage.open(SILENT);
    const how = { tokenKind: 'rest', exclusive: false, newSecret: false, by: 'terminal' } as const;
    const connected = await parts.connect({ workspace: SEED.team, token: SEED_TOKENS.acme.rest, ...how });
    if (connected.type !== 'connected') throw new Error(`not connected: ${connected.type}`);
    return { url: connected.eventsUrl, secret: connected.secret ?? '' };
  } finally {
    await parts.close();
  }
}

async function openHarness(folder: string, job: Job, claims: boolean) {
  const journal = createJournal();
  // On a busy machine a bot takes seconds to start again: the service keeps trying for as long as this run waits.
  const eventRetryDelaysMs = Array(60).fill(500);
  const service = await startOrderService({ journal, eventRetryDelaysMs });
  const slack = await startSlack({ journal });
  const port = await freePort();
  const database = join(folder, 'bot.db');
  const env = botEnvironment({ slack, service }, { port, database });
  service.subscribe(await connect(env));
  const start = () => startBot('test/crash/bot.ts', env, claims ? [] : ['--without-claims']);
  let bot: BotProcess = start();
  /** Resolves when a bot is up; while one is being replaced, that one is waited for. */
  let up = bot.ready;
  await up;
  slack.connectApp(appAddress(port));
  const ana = slack.person('ana');

  function killAt({ name, nth, when }: KillPoint) {
    const faults = name === job.operation ? service.faults : slack.faults;
    const order = faults.schedule({ on: name, skip: nth - 1, fault: { type: 'hold', when } });
    void order.reached.then(() => {
      up = bot.kill().then(() => {
        order.release();
        bot = start();
        return bot.ready;
      });
    });
  }

  /** As a person does who reads "Try again?". */
  async function cancelOrder(): Promise<void> {
    for (;;) {
      await up;
      await ana.command(job.line, { channel: '#support' });
      if (
        await ana
          .waitForModal(() => true, { timeoutMs: 2_000 })
          .then(
            () => true,
            () => false,
          )
      )
        break;
    }
    while ((await ana.submit()).outcome === 'trouble') await up;
  }

  const reply = (text: RegExp) =>
    slack.waitForMessage({ channel: '#support', text }, { timeoutMs: PATIENCE_MS });

  async function play(): Promise<void> {
    await cancelOrder();
    const first = await reply(job.first);
    const received = service.organization().orders.get(job.target)?.cancellation;
    if (job.reviewed && received && !first.text.includes('refused the request')) {
      service.approve(job.target);
      await reply(/the review approved/);
    }
    await atRest();
  }

  function rows(sql: string) {
    const opened = new DatabaseSync(database, { readOnly: true, timeout: 10_000 });
    try {
      return opened.prepare(sql).all() as Record<string, unknown>[];
    } finally {
      opened.close();
    }
  }

  /** Resolves once no record has pending effects. */
  async function atRest(): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    while (rows('SELECT id FROM requests WHERE due_at IS NOT NULL').length > 0) {
      if (Date.now() > until) throw new Error(`something is owed for ever:\n${bot.output()}`);
      await sleep(25);
    }
    await up;
  }

  function report(begun: number, point: KillPoint | undefined): RunReport {
    const record = JSON.parse(String(rows('SELECT record FROM requests')[0]?.['record']));
    const steps: { n: number; reply?: unknown }[] = record.steps;
    const messages = countMessages();
    return {
      point,
      outside: journal
        .entries(({ n, from, kind }: JournalEntry) => n > begun && from === 'bot' && kind !== 'response_url')
        .map(({ name }) => name),
      calls: service.calls({ operation: job.operation }).length,
      messages,
      missing: steps.filter(({ n, reply: isExpected }) => isExpected && !messages[n]).map(({ n }) => n),
      state: record.state,
    };
  }

  function countMessages(): Record<string, number> {
    const all = [...slack.world.channels.values()].flatMap((channel) => [...channel.messages.values()]);
    const counts: Record<string, number> = {};
    for (const { metadata } of all) {
      if (metadata?.event_type !== STEP_METADATA) continue;
      const step = String(metadata.event_payload['step']);
      counts[step] = (counts[step] ?? 0) + 1;
    }
    return counts;
  }

  return {
    journal,
    killAt,
    play,
    report,
    async close() {
      await up.catch(() => {});
      await bot.kill();
      await slack.close();
      await service.close();
    },
  };
}

/** Every point at which a clean run goes outside: before and after whatever has an effect there. */
export function killPoints({ outside }: RunReport): KillPoint[] {
  const seen = new Map<string, number>();
  return outside.flatMap((name) => {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    const before = { name, nth, when: 'before' as const };
    // A read leaves nothing behind: a crash before it and one after it are the same.
    if (/\.(info|test)$/.test(name)) return nth > 1 ? [] : [before];
    return [before, { name, nth, when: 'after' as const }];
  });
}

/** Returns the faults of a run, a sentence each. */
export function violations({ calls, messages, missing }: RunReport): string[] {
  const doubled = Object.entries(messages).filter(([, count]) => count > 1);
  return [
    ...(calls > 1 ? [`${calls} calls at the service`] : []),
    ...doubled.map(([step, count]) => `${count} messages for ${step === '0' ? 'the card' : `step ${step}`}`),
    ...missing.map((step) => `no reply for step ${step}`),
  ];
}
