/** Notices of the page: they go by themselves, hide nothing that is read first, and name nothing internal. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { actions, button, input, modal, section } from '../../sandbox/test/support/slack-harness.ts';
import { needsChromium } from './support/chromium.ts';
import type { PersonPage } from './support/person-page.ts';
import { openRawApp } from './support/raw-app.ts';

needsChromium();

type RawApp = Awaited<ReturnType<typeof openRawApp>>;

const notice = ({ page }: PersonPage) => page.getByRole('status').getByRole('paragraph');

/** Sends a command in a thread, where Slack takes none: a notice says so. */
async function makeNotice({ ana, slack }: Pick<RawApp, 'ana' | 'slack'>): Promise<Locator> {
  const { ts } = slack.person('ben').say('A parent', { channel: '#support' });
  slack.person('ben').say('A reply', { channel: '#support', thread_ts: ts });
  await ana.openThreadOf('A parent');
  const reply = ana.thread().getByRole('textbox', { name: 'Reply' });
  await reply.fill('/cancel-order A-1001');
  await reply.press('Enter');
  const seen = notice(ana).filter({ hasText: '/cancel-order is not supported in threads. Sorry!' });
  await seen.waitFor();
  return seen;
}

/** Lets the time pass that a notice is shown for. */
const letTimePass = (at: Locator) =>
  at.evaluate((element) => {
    for (const each of element.getAnimations())
      if (each.playState === 'running') each.currentTime = each.effect?.getComputedTiming().endTime ?? null;
  });

describe('a notice', () => {
  test('goes by itself', async () => {
    const seen = await makeNotice(await openRawApp());
    await letTimePass(seen);
    await seen.waitFor({ state: 'detached' });
  });

  test('stays while one points at it, and goes when it is dismissed', async () => {
    const seen = await makeNotice(await openRawApp());
    await seen.hover();
    await letTimePass(seen);
    expect(await seen.count()).toBe(1);
    await seen.getByRole('button', { name: 'Dismiss' }).click();
    await seen.waitFor({ state: 'detached' });
  });

  test.each([1500, 390])(
    'covers no title, no field and no button of a modal, at a width of %d px',
    async (width) => {
      const app = await openRawApp(modal({ blocks: [section('A modal')] }));
      const { ana, openView } = app;
      await ana.page.setViewportSize({ width, height: 844 });
      const seen = await makeNotice(app);
      // It stays for as long as this looks at it.
      await seen.hover();
      /** The places of these elements that it covers. */
      async function covered(elements: Locator) {
        const box = await seen.boundingBox();
        const others = await elements.all();
        const boxes = await Promise.all(others.map((each) => each.boundingBox()));
        return boxes.filter((other) => box && other && meets(box, other));
      }
      const read = ana.page.locator('.workspace :is(h2, textarea):visible');
      expect(await read.count()).toBeGreaterThan(1);
      expect(await covered(read)).toEqual([]);
      await ana.page.keyboard.press('Escape');
      await openView();
      await ana.modal().waitFor();
      expect(await covered(ana.modal().locator('header, footer'))).toEqual([]);
    },
  );
});

type Box = { x: number; y: number; width: number; height: number };

const meets = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe('nothing internal is shown outside the inspector', () => {
  /** The part of the page that a person reads, without the inspector. */
  const read = ({ page }: PersonPage) => page.locator('.workspace, .toasts').allInnerTexts();
  const INTERNAL = /[{}[\]]|json-pointer|invalid_|\b[CTU]0[A-Z0-9]{8}|buttons|block_id|callback|go\b/;

  test('when a button was pressed that an update had just removed', async () => {
    const { ana, post, slack } = await openRawApp();
    const { channel, ts } = await post({
      text: 'A card',
      blocks: [section('A card'), actions(button('go', 'Do it'))],
    });
    const held = ana.page.route('**/click', async (route) => {
      slack.person('olga').deleteMessage({ channel, ts });
      await route.continue();
    });
    await held;
    await ana.message('A card').getByRole('button', { name: 'Do it' }).click();
    await notice(ana).filter({ hasText: 'That has just changed.' }).waitFor();
    expect((await read(ana)).join('\n')).not.toMatch(INTERNAL);
  });

  test('when the app answers a form with something that Slack does not take; the inspector says what', async () => {
    const line = input('first', { type: 'plain_text_input', action_id: 'it' });
    const { ana, bot, openView } = await openRawApp(modal({ blocks: [line] }));
    await openView();
    await ana.modal().getByRole('textbox', { name: 'The first' }).fill('A text');
    bot.answer(() => ({ body: { response_action: 'errors', errors: { nowhere: 'Wrong' } } }));
    await ana.submit();
    await ana.modal().getByRole('alert').waitFor();
    expect((await read(ana)).join('\n')).not.toMatch(INTERNAL);
    await ana.inspector('Traffic');
    await ana.page
      .getByRole('complementary', { name: 'Inspector' })
      .getByText(/invalid_errors/)
      .waitFor();
  });

  test('when a text mentions a person or a group that does not exist', async () => {
    const { ana, post } = await openRawApp();
    await post({ text: 'Ask <@U0NOBODY01>, <!subteam^S0NOGROUP1> or <#C0NOWHERE01>' });
    await ana.message('Ask @unknown user, @unknown group or 🔒 private channel').waitFor();
    expect((await read(ana)).join('\n')).not.toMatch(INTERNAL);
  });
});
