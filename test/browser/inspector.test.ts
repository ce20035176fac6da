/** The traffic in the inspector: every request, live, and why one was refused. */
import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { needsChromium } from './support/chromium.ts';
import { openRawApp } from './support/raw-app.ts';

needsChromium();

test("the inspector shows requests with their bodies, a mistake with Slack's error code and the reason, and never a token", async () => {
  const { ana, post, slack } = await openRawApp();
  const { token } = slack.installation();
  await ana.inspector('Traffic');
  const dock = ana.page.getByRole('complementary', { name: 'Inspector' });
  await post({ text: `Hello, ${token}` });
  await dock.getByText('chat.postMessage').click();
  await dock
    .getByText(/"text": "Hello, \*\*\*/)
    .first()
    .waitFor();
  expect(await dock.innerHTML()).not.toContain(token);

  await post({ blocks: [{ type: 'header', text: { type: 'mrkdwn', text: '*no*' } }] });
  await dock.getByText('invalid_blocks').waitFor();
  await dock
    .getByText(/\[json-pointer:\/blocks\/0\/text/)
    .first()
    .waitFor();
  expect(await violations(ana.page)).toEqual([]);
});
