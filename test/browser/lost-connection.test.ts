/** The page loses the sandbox, and finds it again. */
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/e2e/harness.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('a lost connection', () => {
  test('is told, and once it is back the page shows what happened meanwhile', async () => {
    const harness = await startHarness();
    const page = await servePage(harness);
    const ana = await openAs(page.origin, 'ana');
    const lost = ana.page.getByRole('alert').filter({ hasText: 'The connection to the sandbox is lost' });
    expect(await lost.count()).toBe(0);
    harness.slack.person('ben').say('Said before', { channel: '#support' });
    await ana.message('Said before').waitFor();
    await ana.inspector('Traffic');
    const dock = ana.page.getByRole('complementary', { name: 'Inspector' });
    const entries = () => dock.getByText(/^say\b/).count();
    await expect.poll(entries).toBe(1);

    await page.close();
    await lost.waitFor();
    await ana.send('Is anybody there?');
    await ana.page.getByRole('status').filter({ hasText: 'can’t be reached' }).waitFor();
    expect(await ana.composer().inputValue()).toBe('Is anybody there?');
    harness.slack.person('ben').say('Said meanwhile', { channel: '#support' });

    await page.reopen();
    await lost.waitFor({ state: 'detached' });
    await ana.message('Said meanwhile').waitFor();
    await expect.poll(entries).toBe(2);
    await ana.composer().press('Enter');
    await ana.message('Is anybody there?').waitFor();
  });
});
