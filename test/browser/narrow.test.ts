/** The page on a phone, and in the colours of the system. */
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs, type PersonPage } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Whether something stands out of the window at its side. */
const overflows = ({ page }: PersonPage) =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');

const sidebar = ({ page }: PersonPage) => page.getByRole('navigation', { name: 'Workspace', exact: true });

describe('at a width of 390 px', () => {
  test('an order is cancelled by touch, its outcome read in the thread; the channels and the inspector fold away', async () => {
    const harness = await startHarness();
    const { origin } = await servePage(harness);
    harness.ben.say('The customer of A-1001 ordered twice', { channel: '#support' });
    const ana = await openAs(origin, 'ana', '#support', PHONE);
    const message = ana.message('ordered twice').first();
    await message.tap();
    await message.getByRole('button', { name: 'More actions' }).tap();
    await message.getByRole('button', { name: 'Cancel an order', exact: true }).tap();
    await ana.choose('Reason', 'Ordered twice');
    expect(await overflows(ana)).toBe(false);
    expect(await violations(ana.page)).toEqual([]);
    await ana.modal().locator('button[type=submit]').tap();
    await message.getByRole('button', { name: /repl(y|ies)/ }).tap();
    await ana.reply(/@Ana Alvarez.*A-1001 is cancelled/).waitFor();
    expect(await overflows(ana)).toBe(false);
    expect(await violations(ana.page)).toEqual([]);
    await ana.page.keyboard.press('Escape');

    expect(await sidebar(ana).count()).toBe(0);
    const unfold = ana.page.getByRole('button', { name: 'Channels' });
    await unfold.tap();
    await sidebar(ana).waitFor();
    expect(await violations(ana.page)).toEqual([]);
    await ana.openConversation('#partners');
    await ana.page.getByRole('main', { name: '#partners' }).waitFor();
    expect(await sidebar(ana).count()).toBe(0);
    await unfold.tap();
    await sidebar(ana).waitFor();
    await ana.page.keyboard.press('Escape');
    await sidebar(ana).waitFor({ state: 'detached' });
    expect(await unfold.getAttribute('aria-expanded')).toBe('false');

    const inspector = ana.page.getByRole('button', { name: 'Inspector' });
    expect(await inspector.getAttribute('aria-expanded')).toBe('false');
    await inspector.tap();
    await ana.inspector('Order service');
    expect(await overflows(ana)).toBe(false);
    await inspector.tap();
    await ana.send('Still here');
    await ana.message('Still here').waitFor();
  });
});

describe('where the system is dark', () => {
  test('so is the page, with enough contrast: in a channel, a thread, a modal, the Home tab and the inspector; it follows the system', async () => {
    const harness = await startHarness();
    const { origin } = await servePage(harness);
    const ana = await openAs(origin, 'ana', '#support', { colorScheme: 'dark' });
    await harness.cancelOrder('A-2001');
    await harness.reply('A-2001', /reviewing/);
    await ana.openThreadOf('A-2001');
    await ana.inspector('Order service');
    expect(await violations(ana.page)).toEqual([]);
    await ana.inspector('Traffic');
    await ana.send('/cancel-order');
    await ana.modal().getByRole('combobox', { name: 'Reason' }).click();
    await ana.page.getByRole('listbox').waitFor();
    expect(await violations(ana.page)).toEqual([]);
    await ana.page.keyboard.press('Escape');
    await ana.page.keyboard.press('Escape');
    await ana.modal().waitFor({ state: 'detached' });
    await ana.openConversation('Countermand, Home');
    await ana.page.getByText('Your requests').waitFor();
    expect(await violations(ana.page)).toEqual([]);

    const background = () => ana.page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const dark = await background();
    await ana.page.emulateMedia({ colorScheme: 'light' });
    expect(await background()).not.toBe(dark);
    await ana.page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).toBe(dark);
  });
});
