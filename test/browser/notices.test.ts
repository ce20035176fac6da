/** Notices of the page: they go by themselves, hide nothing that is read first, and name nothing internal. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { actions, button, input, modal, section } from '../../sandbox/test/support/slack-harness.ts';
import { needsChromium } from './support/chromium.ts';
import type { PersonPage } from './support/person-page.ts';
import { openRawApp } from './support/raw-app.ts';

needsChromium();

const notice = ({ page }: PersonPage) => page.getByRole('status').getByRole('paragraph');

/** Sends a command in the open thread, where Slack takes none: a notice says so. */
async function makeNotice(ana: PersonPage): Promise<Locator> {
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

test('a notice goes by itself, but stays while one points at it, covers nothing that is read first, and can be dismissed', async () => {
  const { ana, slack, openView } = await openRawApp(modal({ blocks: [section('A modal')] }));
  const { ts } = slack.person('ben').say('A parent', { channel: '#support' });
  slack.person('ben').say('A reply', { channel: '#support', thread_ts: ts });
  await ana.openThreadOf('A parent');
  const gone = await makeNotice(ana);
  await letTimePass(gone);
  await gone.waitFor({ state: 'detached' });

  const seen = await makeNotice(ana);
  await seen.hover();
  await letTimePass(seen);
  expect(await seen.count()).toBe(1);

  /** The places of the elements that the notice covers, at a width of the window. It stays, since the pointer is on it. */
  async function covered(width: number, elements: Locator) {
    await ana.page.setViewportSize({ width, height: 844 });
    await seen.hover();
    const box = await seen.boundingBox();
    const others = await elements.all();
    const boxes = await Promise.all(others.map((each) => each.boundingBox()));
    return boxes.filter((other) => box && other && meets(box, other));
  }
  const read = ana.page.locator('.workspace :is(h2, textarea):visible');
  for (const width of [1500, 390]) {
    expect(await covered(width, read), `at ${width} px`).toEqual([]);
    expect(await read.count()).toBeGreaterThan(1);
  }
  await ana.page.keyboard.press('Escape');
  await openView();
  await ana.modal().waitFor();
  for (const width of [390, 1500])
    expect(await covered(width, ana.modal().locator('header, footer')), `at ${width} px`).toEqual([]);
  await seen.getByRole('button', { name: 'Dismiss' }).click();
  await seen.waitFor({ state: 'detached' });
});

type Box = { x: number; y: number; width: number; height: number };

const meets = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test('nothing internal is shown outside the inspector', async () => {
  const line = input('first', { type: 'plain_text_input', action_id: 'it' });
  const { ana, bot, openView, post, slack } = await openRawApp(modal({ blocks: [line] }));
  /** The part of the page that a person reads, without the inspector. */
  const read = async () => (await ana.page.locator('.workspace, .toasts').allInnerTexts()).join('\n');
  const INTERNAL = /[{}[\]]|json-pointer|invalid_|\b[CTU]0[A-Z0-9]{8}|buttons|block_id|callback|go\b/;

  await post({ text: 'Ask <@U0NOBODY01>, <!subteam^S0NOGROUP1> or <#C0NOWHERE01>' });
  await ana.message('Ask @unknown user, @unknown group or 🔒 private channel').waitFor();
  expect(await read(), 'of people and groups that do not exist').not.toMatch(INTERNAL);

  const { channel, ts } = await post({
    text: 'A card',
    blocks: [section('A card'), actions(button('go', 'Do it'))],
  });
  await ana.page.route('**/click', async (route) => {
    slack.person('olga').deleteMessage({ channel, ts });
    await route.continue();
  });
  await ana.message('A card').getByRole('button', { name: 'Do it' }).click();
  await notice(ana).filter({ hasText: 'That changed in the meantime.' }).waitFor();
  expect(await read(), 'of a button that an update had just removed').not.toMatch(INTERNAL);

  await openView();
  await ana.modal().getByRole('textbox', { name: 'The first' }).fill('A text');
  bot.answer(() => ({ body: { response_action: 'errors', errors: { nowhere: 'Wrong' } } }));
  await ana.submit();
  await ana.modal().getByRole('alert').waitFor();
  expect(await read(), 'of an answer that Slack does not take').not.toMatch(INTERNAL);
  await ana.inspector('Traffic');
  await ana.page
    .getByRole('complementary', { name: 'Inspector' })
    .getByText(/invalid_errors/)
    .waitFor();
});
