import { describe, expect, test } from 'vitest';
import { drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { isTold } from '../../support/e2e/told.ts';

describe('/countermand history', () => {
  async function openHistory(harness: Harness, who = harness.ana) {
    await who.command('/countermand history', { channel: '#support' });
    return who.waitForModal(({ view }) => !JSON.stringify(view).includes('Loading the'));
  }

  test('lists the latest requests, page by page, the newest first', async () => {
    const harness = await startHarness({
      slack: { limits: { posts: { burst: 100, perSecond: 100 } } },
      env: { SLACK_POSTS_PER_MINUTE: '6000' },
    });
    for (let i = 1; i <= 12; i++) {
      harness.service.addOrder({ id: `H-${i}` });
      await harness.cancelOrder(`H-${i}`);
      await harness.reply(`H-${i}`, /is cancelled/);
    }
    const lines = (view: object) => JSON.stringify(view).match(/Cancel order H-\d+/g);
    const first = await openHistory(harness);
    expect(lines(first.view)).toHaveLength(10);
    expect(lines(first.view)?.[0]).toBe('Cancel order H-12');
    await harness.ana.click('Older');
    const second = await harness.ana.waitForModal(({ view }) =>
      JSON.stringify(view).includes('Cancel order H-1 '),
    );
    expect(lines(second.view)).toEqual(['Cancel order H-2', 'Cancel order H-1']);
    await harness.ana.click('Newest');
    await harness.ana.waitForModal(({ view }) => JSON.stringify(view).includes('H-12'));
  });

  test('filters by state, kind and person', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /is cancelled/);
    await harness.cancelOrder('A-2001', { who: harness.ben });
    await harness.reply('A-2001', /reviewing/);
    await openHistory(harness);
    const shows = (text: string, not: string) =>
      harness.ana.waitForModal(({ view }) => {
        const shown = JSON.stringify(view);
        return shown.includes(text) && !shown.includes(not);
      });
    await harness.ana.fill({ history_state: 'under_review' });
    await shows('A-2001', 'A-1001');
    await harness.ana.fill({ history_state: 'any', history_person: harness.ana.id });
    await shows('A-1001', 'A-2001');
    await harness.ana.fill({ history_kind: 'send_offer' });
    await shows('No requests match', 'A-1001');
  });

  test('offers to choose a state by the word that stands on its card', async () => {
    const harness = await startHarness();
    harness.service.faults.schedule({
      on: 'cancel_order',
      fault: { type: 'rate_limit', retryAfterSeconds: 60 },
    });
    await harness.cancelOrder('A-1001');
    const card = await harness.shows('A-1001', /asked Countermand to slow down/);
    expect(harness.slack.renderThread('#support', card.ts)).toContain('Queued');
    await openHistory(harness);
    await harness.ana.fill({ history_state: 'queued' });
    const { view } = await harness.ana.waitForModal(({ view }) => JSON.stringify(view).includes('A-1001'));
    expect(drawnIn(view).filter(({ text }) => text.includes('Queued'))).not.toEqual([]);
    expect(JSON.stringify(view)).not.toContain('Waiting');
  });

  test('shows no reason, and nothing at all to guests', async () => {
    const harness = await startHarness();
    await harness.cancelOrder('A-1001', { reason: 'confidential' });
    await harness.reply('A-1001', /is cancelled/);
    expect(JSON.stringify(await openHistory(harness))).not.toContain('confidential');
    await isTold(harness.slack.person('gina'), '/countermand history', 'Guests cannot use');
  });
});
