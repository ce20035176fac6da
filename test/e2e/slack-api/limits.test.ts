/** Slack takes only so many messages: the bot waits for its turn, and is never refused. */
import { describe, expect, test } from 'vitest';
import { startHarness } from '../../support/e2e/harness.ts';
import { needsStorage, STORAGES } from '../../support/e2e/storage.ts';

const ORDERS = Array.from({ length: 8 }, (_, n) => `A-${2001 + n}`);

describe.each(STORAGES)("Slack's limits, counted with %s,", (storage) => {
  needsStorage(storage);

  test('are kept to: a rush of requests in one channel is told without a refusal, and all of it', async () => {
    const harness = await startHarness({
      storage,
      env: { SLACK_POSTS_PER_MINUTE: '600' },
      slack: { limits: LIMITS },
    });
    for (const order of ORDERS) await harness.cancelOrder(order);
    for (const order of ORDERS) await harness.reply(order, /reviewing/);
    expect(refusals(harness)).toEqual([]);
  });

  test('hold up no answer that a person waits for, and no other channel', async () => {
    const harness = await startHarness({ storage, env: { SLACK_POSTS_PER_MINUTE: '1' } });
    // More than go at once: what follows has to wait for minutes.
    for (const order of ORDERS) await harness.cancelOrder(order);
    await harness.ana.command('/countermand status A-2001', { channel: '#support' });
    await harness.ana.waitForEphemeral(({ text }) => text.includes('A-2001'));
    const { team_id, bot_user_id } = harness.slack.installation();
    harness.slack.admin.addChannel({ team_id, name: 'returns', members: [harness.ana.id, bot_user_id] });
    await harness.cancelOrder('A-1001', { channel: '#returns' });
    await harness.slack.waitForMessage({ channel: '#returns', text: /Order A-1001 is cancelled/ });
  });
});

test('when Slack asks to slow down, that method is paused for as long, and then all goes on', async () => {
  const harness = await startHarness();
  harness.slack.faults.schedule({
    on: 'chat.postMessage',
    fault: { type: 'rate_limit', retryAfterSeconds: 1 },
  });
  await harness.cancelOrder('A-1001');
  await harness.journal.waitFor({ name: 'chat.postMessage' });
  const [refused] = refusals(harness);
  await harness.cancelOrder('A-1002');
  await harness.reply('A-1002', /is cancelled/);
  await harness.reply('A-1001', /is cancelled/);
  const next = harness.journal.entries(
    ({ name, n }) => name === 'chat.postMessage' && n > (refused?.n ?? 0),
  )[0];
  expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  expect(refusals(harness)).toHaveLength(1);
});

/** Ten messages to a channel at once, then ten a second. */
const LIMITS = { posts: { burst: 10, perSecond: 10 } };

type Harness = Awaited<ReturnType<typeof startHarness>>;

const refusals = ({ journal }: Harness) =>
  journal.entries(({ from, response }) => from === 'bot' && response?.status === 429);
