/** Approval in the browser: an admin sets it, an agent makes a request, somebody else reacts in a browser of their own. */
import { expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs, type PersonPage } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

test("a request is approved by another person's reaction, or declined by a button with a reason; the agent sees the outcome", async () => {
  const harness = await startHarness();
  const { origin } = await servePage(harness);
  await setPolicy(await openAs(origin, 'olga'));
  const [ana, cara] = [await openAs(origin, 'ana'), await openAs(origin, 'cara')];

  await ana.send('/cancel-order A-1002 Ordered twice');
  await ana.submit();
  await cara.message(/Cancel order A-1002.*Awaiting approval/).waitFor();
  expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(0);

  const ts = (await ana.message('Cancel order A-1002').getAttribute('data-ts')) ?? '';
  await harness.ben.react('eyes', { channel: '#support', ts });
  await ana.message('Cancel order A-1002').getByRole('button', { name: 'eyes: 1', pressed: false }).waitFor();
  await ana.react('Cancel order A-1002', 'white_check_mark');
  await ana.message('Your vote does not count, because you made this request.').waitFor();
  expect(harness.service.calls({ operation: 'cancel_order' })).toHaveLength(0);
  expect(await violations(ana.page)).toEqual([]);

  await cara.react('Cancel order A-1002', 'white_check_mark');
  await ana.message(/Cancel order A-1002.*Cancelled.*Approved by @Cara Conti/s).waitFor();
  await ana.openThreadOf('Cancel order A-1002');
  await ana.reply(/@Ana Alvarez: Order A-1002 is cancelled/).waitFor();
  expect(harness.service.calls({ orderId: 'A-1002' })).toHaveLength(1);

  await ana.send('/cancel-order A-1003 Ordered twice');
  await ana.submit();
  const card = cara.message('Cancel order A-1003');
  await card.getByRole('button', { name: 'Decline' }).click();
  await cara.modal().getByRole('textbox').fill('It has already shipped');
  await cara.submit();
  await ana.message(/Cancel order A-1003.*Declined/s).waitFor();
  await card.getByRole('button', { name: 'Decline' }).waitFor({ state: 'detached' });
  expect(harness.service.calls({ orderId: 'A-1003' })).toEqual([]);
});

/** Through the two stacked forms: the approvers of the group approve what agents want cancelled. */
async function setPolicy(olga: PersonPage) {
  await olga.send('/countermand settings');
  await olga.modal().getByRole('button', { name: 'Change' }).first().click();
  await olga.page.getByRole('dialog', { name: 'Approval' }).waitFor();
  await olga.choose('Who approves', 'The members of a user group');
  await olga.modal().getByRole('combobox', { name: 'User group' }).pressSequentially('appr');
  await olga.page.getByRole('option', { name: 'Approvers (@approvers)' }).click();
  expect(await violations(olga.page)).toEqual([]);
  await olga.submit();
  await olga.modal().getByText('Saved.').waitFor();
  await olga.page.keyboard.press('Escape');
  await olga.page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await olga.modal().getByText('@approvers').waitFor();
  await olga
    .modal()
    .getByText(/needs 1 approval/)
    .first()
    .waitFor();
  await olga.page.keyboard.press('Escape');
  await olga.page.getByRole('dialog').waitFor({ state: 'detached' });
}
