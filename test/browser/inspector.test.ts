/** The traffic in the inspector: every request, live, and why one was refused. */
import { describe, expect, test } from 'vitest';
import { needsChromium } from './support/chromium.ts';
import { openRawApp } from './support/raw-app.ts';

needsChromium();

describe('the inspector', () => {
  test("shows a mistake in blocks with Slack's error code and the reason", async () => {
    const { ana, post } = await openRawApp();
    await ana.inspector('Traffic');
    await post({ blocks: [{ type: 'header', text: { type: 'mrkdwn', text: '*no*' } }] });
    const entry = ana.page.getByRole('complementary', { name: 'Inspector' });
    await entry.getByText('invalid_blocks').waitFor();
    await entry
      .getByText(/\[json-pointer:\/blocks\/0\/text/)
      .first()
      .waitFor();
  });

  test('shows requests with their bodies, and never a token', async () => {
    const { ana, post, slack } = await openRawApp();
    const { token } = slack.installation();
    await ana.inspector('Traffic');
    await post({ text: `Hello, ${token}` });
    const dock = ana.page.getByRole('complementary', { name: 'Inspector' });
    await dock.getByText('chat.postMessage').click();
    await dock
      .getByText(/"text": "Hello, \*\*\*/)
      .first()
      .waitFor();
    expect(await dock.innerHTML()).not.toContain(token);
  });
});
