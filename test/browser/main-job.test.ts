/** An agent cancels an order in the browser, as in Slack. */
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { hasFocus, openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('the main job, in the browser', () => {
  test('goes by keyboard from the slash command to the outcome in the thread', async () => {
    const harness = await startHarness();
    const { origin } = await servePage(harness);
    const ana = await openAs(origin, 'ana');

    await ana.composer().pressSequentially('/cancel-or');
    await ana.page
      .getByRole('option', { name: /cancel-order.*Request that an order is cancelled/ })
      .waitFor();
    await ana.composer().press('Enter');
    await ana.composer().pressSequentially('A-2001');
    await ana.composer().press('Enter');

    await ana.modal().getByRole('textbox', { name: 'Order id' }).waitFor();
    await ana.page.keyboard.press('Tab');
    await ana.page.keyboard.type('Another');
    await ana.page.getByRole('option', { name: /Another reason/ }).waitFor();
    await ana.page.keyboard.press('Enter');
    await ana.page.keyboard.press('Tab');
    await ana.page.keyboard.type('Ordered *twice* by <!channel>');
    await ana.modal().getByRole('button', { name: 'Request cancellation' }).press('Enter');

    const card = ana.message('Cancel order A-2001');
    await card.getByText('In review').first().waitFor();
    await ana.openThreadOf('Cancel order A-2001');
    await ana.reply(/accepted the request and is reviewing it/).waitFor();

    await ana.inspector('Order service');
    expect(await violations(ana.page)).toEqual([]);
    await ana.page.getByRole('button', { name: 'Approve A-2001' }).click();
    await ana.reply(/@Ana Alvarez.*confirmed it after a review/).waitFor();

    await card.getByText('Ordered *twice* by <!channel>').waitFor();
    expect(harness.service.calls({ orderId: 'A-2001' })).toHaveLength(1);
  });

  test('says at the field what the client itself finds missing, sending nothing, and what is wrong, keeping what was typed', async () => {
    const harness = await startHarness();
    const { origin } = await servePage(harness);
    const ana = await openAs(origin, 'ana');
    await ana.send('/cancel-order');
    const id = ana.modal().getByRole('textbox', { name: 'Order id' });
    await id.waitFor();
    await ana.submit();
    await ana.modal().getByText('Please complete this required field.').first().waitFor();
    expect(harness.journal.entries({ name: 'view_submission' })).toEqual([]);
    expect(await violations(ana.page)).toEqual([]);

    await id.fill('A-1001');
    await ana.choose('Reason', 'Another reason (write it below)');
    await ana.submit();
    const reason = ana.modal().getByRole('textbox', { name: /In your own words/ });
    await ana.modal().getByRole('alert').filter({ hasText: 'Write the reason' }).waitFor();
    expect(await reason.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => hasFocus(reason)).toBe(true);
    const described = await reason.getAttribute('aria-describedby');
    expect(await ana.page.locator(`[id="${described?.split(' ')[0]}"]`).textContent()).toMatch(
      /^Write the reason/,
    );
    expect(await id.inputValue()).toBe('A-1001');

    await reason.fill('Too late');
    await ana.submit();
    await ana.message(/Cancel order A-1001.*Cancelled/s).waitFor();
    await expect.poll(() => ana.modal().count()).toBe(0);
  });
});
