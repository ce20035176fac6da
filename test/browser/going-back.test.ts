/** The browser's Back and Forward go through channels, threads and the Home tab. */
import { describe, expect, test } from 'vitest';
import { openSlackHarness } from '../../sandbox/test/support/slack-harness.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs, type PersonPage } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

/** Ana in #support, where there are so many messages that they scroll. */
async function openLongChannel() {
  const { journal, slack } = await openSlackHarness();
  const { origin } = await servePage({ journal, slack });
  const ben = slack.person('ben');
  const where = { channel: '#support' };
  for (let n = 1; n <= 40; n += 1) {
    const { ts } = ben.say(`Message ${n}. ${'It is a long one. '.repeat(12)}`, where);
    ben.say(`About ${n}`, { ...where, thread_ts: ts });
  }
  return { slack, ana: await openAs(origin, 'ana'), origin };
}

const isAt = ({ page }: PersonPage, name: string) => page.getByRole('main', { name }).waitFor();
const isInView = ({ message }: PersonPage, text: string) =>
  message(text).evaluate((article) => {
    const list = article.parentElement?.getBoundingClientRect();
    const { top, bottom } = article.getBoundingClientRect();
    return list !== undefined && top >= list.top && bottom <= list.bottom;
  });

describe('Back', () => {
  test('goes from the Home tab to the thread, its channel, and the one before, however often that was chosen; Forward returns', async () => {
    const { ana, slack } = await openLongChannel();
    await ana.openConversation('#partners');
    await isAt(ana, '#partners');
    await ana.openConversation('#partners');
    await ana.openConversation('#partners');
    await ana.openConversation('#support');
    await ana.openThreadOf('Message 40.');
    await ana.openConversation('Countermand, Home');
    await isAt(ana, 'Countermand, Home');

    await ana.page.goBack();
    await ana.reply('About 40').waitFor();
    await ana.page.goBack();
    await ana.thread().waitFor({ state: 'detached' });
    await isAt(ana, '#support');
    await ana.page.goBack();
    await isAt(ana, '#partners');
    await ana.page.goBack();
    await isAt(ana, '#support');
    await ana.page.goForward();
    await isAt(ana, '#partners');
    await ana.page.goForward();
    await isAt(ana, '#support');
    await ana.page.goForward();
    await ana.reply('About 40').waitFor();

    // Back to a thread whose message was deleted meanwhile shows its channel.
    const { ts, channel } = slack.person('ben').say('Gone soon', { channel: '#support' });
    await ana.message('Gone soon').hover();
    await ana.message('Gone soon').getByRole('button', { name: 'Reply in thread' }).click();
    await ana.message('Gone soon', ana.thread()).waitFor();
    await ana.openConversation('#partners');
    await isAt(ana, '#partners');
    slack.person('ben').deleteMessage({ channel, ts });
    await ana.page.goBack();
    await isAt(ana, '#support');
    await ana.thread().waitFor({ state: 'detached' });
  });
});

describe('opening a thread', () => {
  test('keeps its message in view beside it, also by its address, and when somebody else writes', async () => {
    const { ana, slack } = await openLongChannel();
    await ana.openThreadOf('Message 25.');
    await ana.reply('About 25').waitFor();
    await expect.poll(() => isInView(ana, 'Message 25.')).toBe(true);
    await ana.openThreadOf('Message 40.');
    await expect.poll(() => isInView(ana, 'Message 40.')).toBe(true);

    await ana.openThreadOf('Message 3.');
    await ana.page.reload();
    await ana.reply('About 3').waitFor();
    await expect.poll(() => isInView(ana, 'Message 3.')).toBe(true);
    slack.person('ben').say('One more', { channel: '#support' });
    await ana.message('One more').waitFor();
    expect(await isInView(ana, 'Message 3.')).toBe(true);
  });

  test('in a narrow window begins at its message and covers the channel, which has its place again when it is closed', async () => {
    const { ana, slack } = await openLongChannel();
    await ana.page.setViewportSize({ width: 800, height: 900 });
    await ana.openThreadOf('Message 25.');
    await ana.reply('About 25').waitFor();
    expect(await ana.message('Message 25.').count()).toBe(0);
    await ana.page.keyboard.press('Escape');
    await expect.poll(() => isInView(ana, 'Message 25.')).toBe(true);

    const { ts } = slack.person('ben').say('A long story', { channel: '#support' });
    for (let n = 1; n <= 30; n += 1)
      slack
        .person('ben')
        .say(`Reply ${n}. ${'It is long. '.repeat(12)}`, { channel: '#support', thread_ts: ts });
    await ana.page.setViewportSize({ width: 390, height: 844 });
    await ana.openThreadOf('A long story');
    const card = ana.thread().getByRole('article').first();
    await ana.reply('Reply 1.').waitFor();
    expect(await isInView({ ...ana, message: () => card }, 'A long story')).toBe(true);
  });
});

test('one’s own message is shown wherever one has scrolled to, and a newer one of somebody else only at the end', async () => {
  const { ana, slack } = await openLongChannel();
  await ana.message('Message 1.').scrollIntoViewIfNeeded();
  slack.person('ben').say('From Ben', { channel: '#support' });
  await ana.message('From Ben').waitFor();
  expect(await isInView(ana, 'From Ben')).toBe(false);
  await ana.send('From Ana');
  await expect.poll(() => isInView(ana, 'From Ana')).toBe(true);
  slack.person('ben').say('From Ben again', { channel: '#support' });
  await expect.poll(() => isInView(ana, 'From Ben again')).toBe(true);
});
