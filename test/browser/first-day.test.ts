/** The first day of somebody new, with nobody to help: the main job, a look back, and a typo. */
import { describe, expect, test } from 'vitest';
import { sayOpening } from '../../sandbox/start.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import { recordOf } from '../support/e2e/approvals.ts';
import { type Harness, startHarness } from '../support/e2e/harness.ts';
import { startSandbox } from '../support/processes/sandbox-process.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

/** Opens the page as #support is at the start of `npm run sandbox`. */
async function startDay() {
  const harness = await startHarness();
  sayOpening(harness);
  const { origin } = await servePage(harness);
  return { ...harness, origin };
}

const DAY_MS = 24 * 60 * 60_000;

/** The bot takes the time from its machine, so yesterday's request is one of today that is stored again as a day older. */
const makeYesterdays = (harness: Harness, order: string) =>
  harness.restart(undefined, async () => {
    const { storage } = await harness.terminal();
    const before = await recordOf(storage, order);
    const older = <T extends { at: number }>(each: T): T => ({ ...each, at: each.at - DAY_MS });
    const after = { ...before, createdAt: before.createdAt - DAY_MS, steps: before.steps.map(older) };
    await storage.requests.remove(before, before.version);
    await storage.requests.create(requestEntry(after, TIMINGS));
  });

describe('on the first day, without help', () => {
  test("an order is cancelled from a customer's message in `npm run sandbox`, as the page suggests", async () => {
    const { address } = await startSandbox();
    const ana = await openAs(address, 'ana');
    await ana.page.getByText('point at Ben’s message about order A-1001').waitFor();
    await ana.chooseOf('A customer writes', 'Cancel an order');
    await expect
      .poll(() => ana.modal().getByRole('textbox', { name: 'Order id' }).inputValue())
      .toBe('A-1001');
    await ana.choose('Reason', 'Ordered twice');
    expect(await violations(ana.page)).toEqual([]);
    await ana.modal().getByRole('button', { name: 'Request cancellation' }).click();
    await ana.openThreadOf('A customer writes');
    await ana.reply(/@Ana Alvarez.*A-1001 is cancelled/).waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });

  test("the reason for yesterday's refusal is found in the history", async () => {
    const day = await startDay();
    const { service, ben } = day;
    const now = new Date().toISOString();
    const order = service.organization().orders.get('A-1004');
    if (order)
      order.requests.cancel_order = { status: 'canceled', reason: 'By mail', createdAt: now, updatedAt: now };
    await day.cancelOrder('A-1004', { who: ben });
    await ben.waitForDirectMessage(({ text }) => text.includes('A-1004'));
    await makeYesterdays(day, 'A-1004');

    const ana = await openAs(day.origin, 'ana');
    await ana.send('/countermand history');
    await ana.modal().getByText('No request is open.').waitFor();
    await ana.choose('State', /^Refused/);
    await ana.modal().getByText('A-1004').waitFor();
    await ana.choose('Day', 'Today');
    await ana.modal().getByText('A-1004').waitFor({ state: 'detached' });
    await ana.choose('Day', 'Yesterday');
    await ana.modal().getByText('A-1004').waitFor();
    expect(await violations(ana.page)).toEqual([]);
    await ana.modal().getByRole('button', { name: 'More', exact: true }).click();
    await ana.modal().getByRole('button', { name: 'Details' }).click();
    const details = ana.page.getByRole('dialog', { name: 'Details' });
    await details
      .getByText(/already has a cancellation that is canceled/)
      .first()
      .waitFor();
    await details
      .getByText(/yesterday/)
      .first()
      .waitFor();
    await ana.page.keyboard.press('Escape');
    await ana.page.getByRole('dialog', { name: 'Requests' }).getByText('A-1004').waitFor();
  });

  test('a typo is corrected by “Edit and request again”, in the message that tells of it', async () => {
    const day = await startDay();
    const ana = await openAs(day.origin, 'ana');
    await ana.send('/cancel-order A-10O5');
    await ana.choose('Reason', 'Ordered twice');
    await ana.submit();
    await ana.page
      .getByRole('navigation', { name: 'Workspace', exact: true })
      .getByRole('button', { name: /Countermand.*unread/ })
      .waitFor();
    await ana.openConversation('Countermand');
    await ana.message('A-10O5').getByRole('button', { name: 'Edit and request again' }).click();
    const id = ana.modal().getByRole('textbox', { name: 'Order id' });
    await expect.poll(() => id.inputValue()).toBe('A-10O5');
    await ana.modal().getByText('Ordered twice').waitFor();
    await id.fill('A-1005');
    await ana.submit();
    await ana.modal().waitFor({ state: 'detached' });
    await ana.openConversation('#support');
    await ana
      .message(/A-1005/)
      .getByText('Cancelled')
      .first()
      .waitFor();
    expect(day.service.calls({ orderId: 'A-1005' })).toHaveLength(1);
  });
});
