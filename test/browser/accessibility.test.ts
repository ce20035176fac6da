/** What axe finds wrong for people who use a screen reader or the keyboard. */
import { describe, expect, test } from 'vitest';
import { startDesk } from '../support/desk.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('for everybody, there are labels, roles and contrast', () => {
  test('in the workspace and a thread', async () => {
    const desk = await startDesk();
    const ana = await openAs((await servePage(desk)).origin, 'ana');
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    await ana.react('Cancel order A-2001', 'x');
    await ana.openThreadOf('Cancel order A-2001');
    expect(await violations(ana.page)).toEqual([]);
  });

  test.each(['Order service', 'Inspector'] as const)('backstage, under %s', async (tab) => {
    const desk = await startDesk();
    const ana = await openAs((await servePage(desk)).origin, 'ana');
    await desk.ask('A-2001');
    await desk.reply('A-2001', /reviewing/);
    await ana.backstage(tab);
    expect(await violations(ana.page)).toEqual([]);
  });

  test('in a modal, and at the field that is wrong', async () => {
    const desk = await startDesk();
    const ana = await openAs((await servePage(desk)).origin, 'ana');
    await ana.send('/cancel-order');
    await ana.modal().getByRole('textbox', { name: 'Id of the order' }).waitFor();
    await ana.submit();
    await ana.modal().getByText('Please complete this required field.').waitFor();
    expect(await violations(ana.page)).toEqual([]);
  });
});
