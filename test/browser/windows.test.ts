/** Many windows at once: each is a person of its own, and none is in another's way. */
import { describe, test } from 'vitest';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { openSlackHarness } from '../../sandbox/test/support/slack-harness.ts';
import { freshContext, needsChromium } from './support/chromium.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('several windows of one browser', () => {
  test('are several people, and there may be many of them', async () => {
    const { journal, slack } = await openSlackHarness();
    const { origin } = await servePage({ journal, slack });
    const context = await freshContext();
    // A browser keeps six connections to one address, WebSockets apart.
    const people = ['ana', 'ben', 'cara', 'dev', 'olga', 'oscar', 'gina'] as const;
    for (const who of people) {
      const page = await context.newPage();
      await page.goto(`${origin}/?as=${SEED.users[who]}`);
      const composer = page.getByRole('textbox', { name: 'Message #support' });
      await composer.fill(`I am ${who}`);
      await composer.press('Enter');
      await page
        .getByRole('article', { name: new RegExp(`^${who} `, 'i') })
        .filter({ hasText: `I am ${who}` })
        .waitFor();
    }
  });
});
