/** One run of a job, a reviewed cancellation, with the bot killed at a chosen point and started again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleInto } from '../../bench/lib/bundle.ts';
import type { JournalEntry } from '../../sandbox/lib/http/journal.ts';
import type { Slack } from '../../sandbox/slack/start.ts';
import { STEP_METADATA } from '../../src/slack/blocks/ids.ts';
import { type CrashHarness, openHarness } from './harness.ts';

/** The n-th call of a name since the agent typed the command, before or after it has its effect. */
export type KillPoint = { name: string; nth: number; when: 'before' | 'after' };

export type RunReport = {
  point: KillPoint | undefined;
  /** The calls of the bot since the agent typed the command, in order. */
  outside: string[];
  /** Calls that reached the service. */
  calls: number;
  /** Messages in Slack, by their keys. */
  messages: Record<string, number>;
  /** The keys of replies that are missing. */
  missing: string[];
  state: string;
};

const JOB = {
  operation: 'cancel_order',
  target: 'A-2001',
  line: '/cancel-order A-2001 Ordered twice',
  /** How the first reply may read. */
  first: /is reviewing it|may or may not be cancelled|refused the request/,
};

export type RunOptions = { point?: KillPoint; claims?: boolean };

/** Bundles the bot, which then starts sooner than from its source: a run starts it twice. */
export const bundleBot = (folder: string): Promise<string> =>
  bundleInto(folder, join(import.meta.dirname, 'bot.ts'));

/** Plays the job to its end. @param bot the bundled bot */
export async function run(bot: string, { point, claims = true }: RunOptions = {}): Promise<RunReport> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-crash-'));
  const harness = await openHarness({ bot, database: join(folder, 'bot.db'), claims });
  try {
    const begun = harness.journal.entries().length;
    const kill = point && killAt(harness, point);
    await play(harness);
    if (kill && kill.remaining > 0) throw new Error('the bot never came to the point at which it is killed');
    return { point, ...report(harness, begun) };
  } finally {
    await harness.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function killAt({ bot, service, slack }: CrashHarness, { name, nth, when }: KillPoint) {
  const { faults } = name === JOB.operation ? service : slack;
  const hold = faults.schedule({ on: name, skip: nth - 1, fault: { type: 'hold', when } });
  bot.killWhenHeld(hold);
  return hold;
}

async function play({ submit, reply, atRest, service }: CrashHarness): Promise<void> {
  await submit(JOB.line);
  const first = await reply(JOB.first);
  const received = service.organization().orders.get(JOB.target)?.requests.cancel_order;
  if (received && !first.text.includes('refused the request')) {
    service.approve(JOB.target);
    await reply(/confirmed it after a review/);
  }
  await atRest();
}

/** @param begun the number of journal entries before the agent typed the command */
function report({ journal, service, slack, rows }: CrashHarness, begun: number) {
  const record = JSON.parse(String(rows('SELECT record FROM requests')[0]?.['record']));
  const owed: { key: string; type: string }[] = record.messages;
  const messages = countMessages(slack);
  const isOutside = ({ n, from, kind }: JournalEntry) =>
    n > begun && from === 'bot' && kind !== 'response_url';
  return {
    outside: journal.entries(isOutside).map(({ name }) => name),
    calls: service.calls({ operation: JOB.operation }).length,
    messages,
    missing: owed.filter(({ type, key }) => type === 'reply' && !messages[key]).map(({ key }) => key),
    state: record.state,
  };
}

function countMessages({ world }: Slack): Record<string, number> {
  const all = [...world.channels.values()].flatMap((channel) => [...channel.messages.values()]);
  const counts: Record<string, number> = {};
  for (const { metadata } of all) {
    if (metadata?.event_type !== STEP_METADATA) continue;
    const key = String(metadata.event_payload['message']);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
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
export function violations({
  calls,
  messages,
  missing,
}: Pick<RunReport, 'calls' | 'messages' | 'missing'>): string[] {
  const doubled = Object.entries(messages).filter(([, count]) => count > 1);
  return [
    ...(calls > 1 ? [`${calls} calls at the service`] : []),
    ...doubled.map(([key, count]) => `${count} messages ${key}`),
    ...missing.map((key) => `no ${key}`),
  ];
}
