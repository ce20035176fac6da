/** Accessibility of a workspace for people who use a screen reader or the keyboard, as axe checks it. */
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('for everybody, there are labels, roles and contrast', () => {
  test('in the workspace and a thread', async () => {
    const harness = await startHarness();
    const ana = await openAs((await servePage(harness)).origin, 'ana');
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await ana.react('Cancel order A-2001', 'x');
    await ana.openThreadOf('Cancel order A-2001');
    expect(await violations(ana.page)).toEqual([]);
  });

  test.each(['Order service', 'Traffic'] as const)('the inspector, under %s', async (tab) => {
    const harness = await startHarness();
    const ana = await openAs((await servePage(harness)).origin, 'ana');
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await ana.inspector(tab);
    expect(await violations(ana.page)).toEqual([]);
  });

  test('in a modal, and at the field that is wrong', async () => {
    const harness = await startHarness();
    const ana = await openAs((await servePage(harness)).origin, 'ana');
    await ana.send('/cancel-order');
    await ana.modal().getByRole('textbox', { name: 'Order id' }).waitFor();
    await ana.submit();
    await ana.modal().getByText('Please complete this required field.').first().waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });
});
