/** Everybody's own page, in the browser: for an agent, an approver and an admin. */
import { expect, test } from 'vitest';
import { setPolicy } from '../support/e2e/approvals.ts';
import { startHarness } from '../support/e2e/harness.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

test('an approver decides there, the agent sees what became of it, and an admin who did what', async () => {
  const harness = await startHarness();
  await setPolicy(harness);
  const { origin } = await servePage(harness);
  const ana = await openAs(origin, 'ana');
  await ana.send('/countermand');
  await ana.channel().getByRole('link', { name: 'Home tab' }).click();
  const page = ana.page.getByRole('region', { name: 'Your page' });
  await page.getByText('There are no requests of yours here.').waitFor();
  await page.getByRole('button', { name: 'Cancel an order' }).click();
  await ana.modal().getByRole('textbox', { name: 'Order id' }).fill('A-1002');
  await ana.choose('Reason', 'Another reason (write it below)');
  await ana
    .modal()
    .getByRole('textbox', { name: /In your own words/ })
    .fill('Ordered twice');
  await ana.choose('Channel', '#support');
  await ana.submit();
  await page.getByText('Cancel order A-1002').waitFor();

  const cara = await openAs(origin, 'cara', 'Countermand, Home');
  const carasPage = cara.page.getByRole('region', { name: 'Your page' });
  await carasPage.getByText('Ordered twice').waitFor();
  expect(await violations(cara.page)).toEqual([]);
  await carasPage.getByRole('button', { name: 'Approve' }).click();
  await cara.page
    .getByRole('dialog', { name: 'Approve this request?' })
    .getByRole('button', { name: 'Approve' })
    .click();
  await carasPage.getByText('No request waits for your decision.').waitFor();

  await harness.reply('A-1002', /is cancelled/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Cancelled').waitFor();
  await page.getByRole('link', { name: 'Open the thread' }).click();
  await ana.reply(/Order A-1002 is cancelled/).waitFor();

  const olga = await openAs(origin, 'olga', 'Countermand, Home');
  await olga.page.getByText('Ana Alvarez requested “Cancel order A-1002”').waitFor();
  expect(await violations(olga.page)).toEqual([]);
});
