import { describe, expect } from 'vitest';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import { directMessage } from '../../../slack/world/channels.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { section } from '../../support/slack-harness.ts';
import { listed, openPageHarness, test } from '../support/harness.ts';

const { users, channels } = SEED;
const { support, partners } = channels;

const unreadIn = (workspace: WorkspaceViewModel, id: string) => {
  const { isUnread, mentions } = listed(workspace, id);
  return { isUnread, mentions };
};
const READ = { isUnread: false, mentions: 0 };

describe('unread', () => {
  test('is what others said while something else was open, until one opens it; for each person apart', async () => {
    const { see, slack } = await openPageHarness();
    expect(unreadIn(await see('ana', partners), support)).toEqual(READ);
    slack.person('cara').say('Anyone?', { channel: '#support' });
    for (const person of ['ana', 'ben'] as const) {
      expect(unreadIn(await see(person, partners), support)).toEqual({ isUnread: true, mentions: 0 });
    }
    expect(unreadIn(await see('ana', support), support)).toEqual(READ);
    expect(unreadIn(await see('ana', partners), support)).toEqual(READ);
    expect(unreadIn(await see('ben', partners), support).isUnread).toBe(true);
  });

  test('is never what one said oneself', async ({ see, slack }) => {
    slack.person('ana').say(`Note to <@${users.ana}>`, { channel: '#support' });
    expect(unreadIn(await see('ana', partners), support)).toEqual(READ);
    expect(unreadIn(await see('ben', partners), support).isUnread).toBe(true);
  });

  test.for([
    ['a person', `<@${users.ana}>`],
    ['a person with a label', `<@${users.ana}|ana>`],
    ['a user group of theirs', `<!subteam^${SEED.groups.agents}>`],
    ['everybody', '<!here>'],
  ] as const)('mentions: %s', async ([, mention], { see, slack }) => {
    slack.person('olga').say(`Look, ${mention}`, { channel: '#support' });
    expect(unreadIn(await see('ana', partners), support)).toEqual({ isUnread: true, mentions: 1 });
    const isForAll = mention === '<!here>';
    expect(unreadIn(await see('cara', partners), support).mentions).toBe(isForAll ? 1 : 0);
  });

  test('mentions: in rich text', async ({ see, post }) => {
    const parts = [{ type: 'user', user_id: users.ana }];
    await post({
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: parts }] }],
    });
    expect(unreadIn(await see('ana', partners), support).mentions).toBe(1);
    expect(unreadIn(await see('ben', partners), support).mentions).toBe(0);
  });

  test('is a direct message', async ({ see, slack }) => {
    const { id } = directMessage(slack.world, users.ana, users.ben, SEED.team);
    slack.person('ben').say('Psst', { channel: id });
    expect(unreadIn(await see('ana'), id).isUnread).toBe(true);
  });

  test('is no reply in a thread, unless it is told to the channel, too', async ({ see, slack, post }) => {
    const { ts } = slack.person('ana').say('Anyone?', { channel: '#support' });
    await see('ana', support);
    slack.person('ben').say('Here', { channel: '#support', thread_ts: ts });
    expect(unreadIn(await see('ana', partners), support)).toEqual(READ);
    await post({ thread_ts: ts, reply_broadcast: true });
    expect(unreadIn(await see('ana', partners), support).isUnread).toBe(true);
  });

  test('is a message for one’s own eyes, and for nobody else’s', async ({ see, call }) => {
    await call('chat.postEphemeral', { channel: support, user: users.ana, text: 'Psst' });
    expect(unreadIn(await see('ana', partners), support).isUnread).toBe(true);
    expect(unreadIn(await see('ben', partners), support).isUnread).toBe(false);
  });
});

describe('mentions', () => {
  test('are counted, in texts and in blocks, until they are read', async ({ see, slack, post }) => {
    const ben = slack.person('ben');
    ben.say(`<@${users.ana}>, look`, { channel: '#support' });
    ben.say(`<@${users.cara}>, look`, { channel: '#support' });
    await post({ text: 'A card', blocks: [section(`Asked by <@${users.ana}>`)] });
    expect(unreadIn(await see('ana', partners), support)).toEqual({ isUnread: true, mentions: 2 });
    expect(unreadIn(await see('cara', channels.approvals), support)).toEqual({ isUnread: true, mentions: 1 });
    await see('ana', support);
    expect(unreadIn(await see('ana', partners), support)).toEqual(READ);
  });

  test('in a thread make its conversation unread', async ({ see, slack }) => {
    const { ts } = slack.person('ben').say('Anyone?', { channel: '#support' });
    await see('ana', support);
    slack.person('ben').say(`<@${users.ana}>?`, { channel: '#support', thread_ts: ts });
    expect(unreadIn(await see('ana', partners), support)).toEqual({ isUnread: true, mentions: 1 });
  });
});
