/** The workspace itself: people, channels, threads, reactions, and what only one person sees. */
import { describe, expect, test } from 'vitest';
import { openSlackHarness } from '../../sandbox/test/support/slack-harness.ts';
import { needsChromium } from './support/chromium.ts';
import { openAs } from './support/person-page.ts';
import { servePage } from './support/sandbox.ts';

needsChromium();

describe('the workspace in the browser', () => {
  test('marks unread channels and mentions for each person until they are opened, and shows a message for one person to nobody else', async () => {
    const { journal, slack, call } = await openSlackHarness();
    const { origin } = await servePage({ journal, slack });
    const ana = await openAs(origin, 'ana');
    const partners = ana.page.getByRole('navigation').getByRole('button', { name: '#partners' });
    slack.person('gus').say('Hello from Globex', { channel: '#partners' });
    await partners.filter({ hasText: 'unread' }).waitFor();
    slack.person('ben').say(`Look at this, <@${slack.person('ana').id}>`, { channel: '#partners' });
    await partners.filter({ hasText: '1 unread mentions' }).waitFor();
    await ana.openConversation('#partners');
    await ana.message('Hello from Globex').getByText('Globex', { exact: true }).waitFor();
    await partners.filter({ hasText: 'unread' }).waitFor({ state: 'detached' });
    const ben = await openAs(origin, 'ben');
    await ben.page
      .getByRole('navigation')
      .getByRole('button', { name: /#partners.*unread/ })
      .waitFor();

    await ana.openConversation('#support');
    const { channel } = slack.person('ben').say('Anybody?', { channel: '#support' });
    await call('chat.postEphemeral', { channel, user: slack.person('ana').id, text: 'For Ana' });
    await ana.message(/Only visible to you.*For Ana/).waitFor();
    slack.person('ben').say('Me', { channel });
    await ben.message('Me').waitFor();
    expect(await ben.message('For Ana').count()).toBe(0);
  });

  test('answers in threads, mentions people, reacts with any emoji, taken back by pressing it again, and acts as somebody else', async () => {
    const { journal, slack } = await openSlackHarness();
    const { origin } = await servePage({ journal, slack });
    const ana = await openAs(origin, 'ana');
    await ana.send('Who has A-2001? @be');
    await expect.poll(() => ana.composer().inputValue()).toBe('Who has A-2001? @ben ');
    await ana.composer().press('Enter');
    const said = ana.message('Who has A-2001? @Ben Brandt');
    await said.hover();
    await said.getByRole('button', { name: 'Reply in thread' }).click();
    const answer = ana.thread().getByRole('textbox', { name: 'Reply' });
    await answer.fill('I have <it> & more');
    await answer.press('Enter');
    await ana.reply('I have <it> & more').waitFor();
    await said.getByRole('button', { name: '1 reply' }).waitFor();

    await said.hover();
    await said.getByRole('button', { name: 'Add reaction' }).click();
    await said.getByRole('searchbox', { name: 'Search emoji' }).fill('rocket');
    await said.getByTitle(':rocket:').click();
    const rocket = said.getByRole('button', { name: 'rocket: 1, Ana Alvarez' });
    expect(await rocket.getAttribute('aria-pressed')).toBe('true');
    await rocket.click();
    await rocket.waitFor({ state: 'detached' });

    // An external user sees the shared channel and nothing else.
    await ana.page.getByLabel('Act as').selectOption({ label: 'Gus Globex' });
    await ana.page.getByRole('main', { name: '#partners' }).waitFor();
    const listed = await ana.page.getByRole('navigation').getByRole('button').allTextContents();
    expect(listed.map((each) => each.replace('🤝', ''))).toEqual(['#partners']);
  });
});
