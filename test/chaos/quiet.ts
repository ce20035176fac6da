/** Waits until nothing is owed any more: all that the bot will ever do by itself has been done. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosHarness } from './processes/harness.ts';

const LOOK_MS = 250;
/** A process that was frozen may still be at work, though nothing is owed. */
const QUIET_LOOKS = 6;

/** @returns what is still owed after all; undefined: nothing */
export async function untilQuiet(harness: ChaosHarness, patienceMs: number): Promise<string | undefined> {
  const until = Date.now() + patienceMs;
  await Promise.all(harness.replicas.map((replica) => replica.ready()));
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const busy = await whatIsOwed(harness);
    if (busy && Date.now() > until) return busy;
    quiet = busy ? 0 : quiet + 1;
    await sleep(LOOK_MS);
  }
  return undefined;
}

async function whatIsOwed({ storage, service, slack, journal }: ChaosHarness): Promise<string | undefined> {
  const toTell = service.deliveries().filter(({ state }) => state === 'under_way').length;
  if (toTell > 0) return `${toTell} events of the service are not taken`;
  const events = slack.events.list().filter(({ state }) => state === 'under_way').length;
  if (events > 0) return `${events} events of Slack are not taken`;
  const calls = journal.underway().length;
  if (calls > 0) return `${calls} exchanges are under way`;
  const owed = await storage.owed();
  return owed > 0 ? `${owed} requests owe something` : undefined;
}
