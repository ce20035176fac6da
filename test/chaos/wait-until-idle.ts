/** Waits until no effect is pending and nothing is under way: the bot will do nothing more by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosHarness } from './processes/harness.ts';

const POLL_MS = 250;
/** A process that was frozen may still be at work, though no effect is pending: several looks in a row must find nothing. */
const IDLE_LOOKS = 6;

/** @returns what is still pending after the time-out, in words; undefined: nothing */
export async function untilIdle(harness: ChaosHarness, timeoutMs: number): Promise<string | undefined> {
  const until = Date.now() + timeoutMs;
  await Promise.all(harness.replicas.map((replica) => replica.ready()));
  for (let idle = 0; idle < IDLE_LOOKS; ) {
    const busy = await pendingWork(harness);
    if (busy && Date.now() > until) return busy;
    idle = busy ? 0 : idle + 1;
    await sleep(POLL_MS);
  }
  return undefined;
}

async function pendingWork({ storage, service, slack, journal }: ChaosHarness): Promise<string | undefined> {
  const deliveries = service.deliveries().filter(({ state }) => state === 'under_way').length;
  if (deliveries > 0) return `${deliveries} events of the service are not delivered`;
  const events = slack.events.list().filter(({ state }) => state === 'under_way').length;
  if (events > 0) return `${events} events of Slack are not delivered`;
  const calls = journal.underway().length;
  if (calls > 0) return `${calls} exchanges are under way`;
  const pending = await storage.pending();
  return pending > 0 ? `${pending} records have pending effects` : undefined;
}
