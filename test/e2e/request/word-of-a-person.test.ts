/** Each act that a person confirms is done, or they read why not. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { callerFrom } from '../../support/isolation/caller.ts';
import { shownIn } from '../../support/shown.ts';

const callsOf = ({ service }: Harness) => service.calls({ operation: 'cancel_order' });

async function statusOf(harness: Harness, line: string) {
  const before = harness.ana.ephemerals().length;
  await harness.ana.command(line, { channel: '#support' });
  return shownIn(await harness.ana.waitForEphemeral(() => harness.ana.ephemerals().length > before));
}

describe('a confirmed Withdraw', () => {
  test('is done though the request was tried again since the card was seen', async () => {
    const harness = await startHarness();
    for (const retryAfterSeconds of [1, 3_600])
      harness.service.faults.schedule({
        on: 'cancel_order',
        fault: { type: 'rate_limit', retryAfterSeconds },
      });
    await harness.cancelOrder('A-1001');
    const card = await harness.shows('A-1001', /asked Countermand to slow down/);
    await expect.poll(() => harness.journal.entries({ name: 'cancel_order' }).length).toBeGreaterThan(1);
    await harness.ana.click('Withdraw', card);
    await harness.reply('A-1001', /withdrew the request, and nothing was sent/);
    // Those that it asked to come later have no status.
    expect(callsOf(harness).filter(({ status }) => status !== undefined)).toEqual([]);
  });

  test('that comes too late reads why, and stands in the history', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'rate_limit', retryAfterSeconds: 1 },
    });
    await harness.cancelOrder('A-1001');
    const card = structuredClone(await harness.shows('A-1001', /asked Countermand to slow down/));
    await harness.reply('A-1001', /is cancelled/);
    const [value = ''] =
      /(?<="action_id":"withdraw".*?"value":")[^"]+/.exec(JSON.stringify(card.blocks)) ?? [];
    const caller = callerFrom(harness, { team: SEED.team, channel: SEED.channels.support }, harness.ana.id);
    await caller.press('withdraw', { value, on: card });
    expect(shownIn(await harness.ana.waitForEphemeral())).toMatch(/: \*Not withdrawn\*, because/);
    expect(await statusOf(harness, '/countermand status A-1001')).toContain(
      `Not withdrawn for <@${harness.ana.id}>: it came too late`,
    );
  });
});

test('/countermand takes its words in any case', async () => {
  const harness = await startHarness();
  await harness.cancelOrder('A-1001');
  await harness.reply('A-1001', /is cancelled/);
  expect(await statusOf(harness, '/countermand STATUS A-1001')).toContain('Cancel order A-1001');
});
