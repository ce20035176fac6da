/** Nobody requests more within an hour than one person may: a stolen account can't cancel every order. */
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { type Harness, startHarness } from '../../support/e2e/harness.ts';
import { openSettings, saveSettings } from '../../support/e2e/policy-modal.ts';
import { isTold } from '../../support/e2e/told.ts';

const shows = (who: Harness['ana'], text: string) => who.waitForModal({ text });

const told = ({ slack }: Harness, name: string) =>
  slack
    .person(name)
    .directMessages()
    .filter(({ text }) => text.includes('requests within an hour'));

async function requested(harness: Harness, ...orders: string[]) {
  for (const order of orders) {
    await harness.cancelOrder(order);
    await harness.reply(order, /is cancelled/);
  }
}

describe('the limit of requests for each person', () => {
  test('is set in the settings, and one more is refused before its form is filled in', async () => {
    const harness = await startHarness();
    const { ana, olga } = harness;
    expect((await openSettings(harness)).values['requests_per_hour']).toBe('60');
    expect((await olga.submit({ requests_per_hour: '1,001' })).errors).toEqual({
      requests_per_hour: 'Write a whole number from 1 to 1,000, or leave this empty for no limit.',
    });
    await olga.submit({ requests_per_hour: '3' });
    await requested(harness, 'A-1001', 'A-1002', 'A-1003');
    const refusal = 'You have made 3 requests within an hour, the most allowed here';
    expect(await isTold(ana, '/cancel-order A-1004 Ordered twice', refusal)).toMatch(
      /The next one is possible <!date\^\d+/,
    );
    expect((await openSettings(harness)).values['requests_per_hour']).toBe('3');
  });

  test('is said in the form from four fifths on, and not before', async () => {
    const harness = await startHarness();
    const { ana } = harness;
    const form = async () => {
      await ana.command('/send-offer O-3001', { channel: '#support' });
      await ana.waitForModal();
      return () => JSON.stringify(ana.modal()?.view);
    };
    await requested(harness, 'A-1001', 'A-1002', 'A-1003', 'A-1004');
    await saveSettings(harness, { requests_per_hour: '5' });
    const near = await form();
    await expect.poll(near).toContain('You have made 4 requests within an hour. At most 5 are allowed here.');
    await ana.closeModal();
    // The reasons of the workspace show that this form was completed.
    await saveSettings(harness, { requests_per_hour: '6', reasons: 'Too late' });
    await ana.command('/cancel-order A-1005', { channel: '#support' });
    const { view } = await shows(ana, 'Too late');
    expect(JSON.stringify(view)).not.toContain('within an hour');
  });

  test('holds for a form that was open before', async () => {
    const harness = await startHarness();
    const { ana } = harness;
    await requested(harness, 'A-1001');
    await ana.command('/cancel-order A-1002 Ordered twice', { channel: '#support' });
    await ana.waitForModal();
    await saveSettings(harness, { requests_per_hour: '1' });
    await ana.submit();
    await shows(ana, 'so this one was not made');
    await ana.closeModal({ all: true });
    await saveSettings(harness, { requests_per_hour: '' });
    await requested(harness, 'A-1002');
  });

  test('is met by Retry, too, whose presser reads when it is possible', async () => {
    const harness = await startHarness();
    const { ana, service } = harness;
    await saveSettings(harness, { requests_per_hour: '1' });
    const body = { code: 'X', message: 'No' };
    service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409, body } });
    await harness.cancelOrder('A-1001');
    await harness.reply('A-1001', /refused/);
    await ana.click('Retry', await harness.card('A-1001'));
    const refused = await ana.waitForEphemeral(({ text }) => text.includes('so this one was not sent again'));
    expect(refused.text).toContain('You have made 1 request within an hour');
    expect(service.calls({ operation: 'cancel_order' })).toHaveLength(1);
  });

  test('has the admins told once, by name, when somebody makes the last one', async () => {
    const harness = await startHarness();
    await saveSettings(harness, { requests_per_hour: '2' });
    await requested(harness, 'A-1001', 'A-1002');
    await harness.olga.waitForDirectMessage(({ text }) =>
      text.includes(`<@${SEED.users.ana}> made 2 requests within an hour`),
    );
    for (const order of ['A-1003', 'A-1004']) {
      await isTold(harness.ana, `/cancel-order ${order} x`, 'no further one can be made');
    }
    await expect.poll(() => told(harness, 'oscar')).toHaveLength(1);
    expect(told(harness, 'olga')).toHaveLength(1);
    expect(told(harness, 'ana')).toEqual([]);
  });
});
