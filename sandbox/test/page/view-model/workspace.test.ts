import { describe, expect } from 'vitest';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import { directMessage } from '../../../slack/world/channels.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { section } from '../../support/slack-harness.ts';
import { listed, openPageHarness, test } from '../support/harness.ts';

const { users, channels } = SEED;
const { support, partners } = channels;

const sidebar = ({ conversations }: WorkspaceViewModel) => conversations.map(({ name }) => name);

describe('the sidebar', () => {
  test.each([
    ['ana', ['#support', '#partners', '#old-returns', 'Countermand']],
    ['ben', ['#support', '#partners', 'Countermand']],
    ['cara', ['#support', '#support-leads', '#approvals', '#partners', 'Countermand']],
    ['gina', ['#support', 'Countermand']],
    ['gus', ['#partners']],
  ] as const)('of %s has what they may see, and the app of their company', async (person, names) => {
    const { see } = await openPageHarness();
    expect(sidebar(await see(person))).toEqual(names);
  });

  test('marks what is private, shared with others, archived, or without the person', async ({ see }) => {
    const cara = await see('cara');
    expect(listed(cara, channels.approvals)).toMatchObject({ kind: 'private', isMember: true });
    expect(listed(cara, channels.partners)).toMatchObject({
      kind: 'public',
      isShared: true,
      isMember: false,
      isArchived: false,
    });
    expect(listed(await see('ana'), channels.oldReturns)).toMatchObject({ isArchived: true });
  });

  test('has a direct message under the name of the other, and that with the app as the app’s', async () => {
    const { see, slack } = await openPageHarness();
    const { world } = slack;
    const own = directMessage(world, users.ana, users.ben, SEED.team);
    const app = directMessage(world, users.ana, slack.installation().bot_user_id, SEED.team);
    const ana = await see('ana');
    expect(listed(ana, own.id)).toMatchObject({ name: 'Ben Brandt', kind: 'im' });
    expect(listed(ana, app.id)).toMatchObject({ name: 'Countermand', kind: 'app' });
    const ben = await see('ben');
    expect(listed(ben, own.id).name).toBe('Ana Alvarez');
    expect(ben.conversations.map(({ id }) => id)).not.toContain(app.id);
    expect(sidebar(ben)).toContain('Countermand');
  });
});

describe('what is open', () => {
  test('is the conversation that was asked for, a member’s or not', async ({ see }) => {
    expect((await see('cara', channels.partners)).open?.conversation.name).toBe('#partners');
  });

  test('is one of the person’s own where they do not see the one that was asked for', async ({ see }) => {
    for (const wanted of [channels.approvals, 'C0NOWHERE1', undefined]) {
      expect((await see('ana', wanted)).open?.conversation.name).toBe('#support');
    }
    expect((await see('gus', channels.support)).open?.conversation.name).toBe('#partners');
  });

  test('is nothing for somebody who is in no conversation', async ({ see, slack }) => {
    slack.admin.kick(channels.partners, users.gus);
    expect((await see('gus')).open).toBeNull();
    expect((await see('gus', channels.partners)).open?.conversation).toMatchObject({ isMember: false });
    const copy = slack.admin.unshare(channels.partners, SEED.otherTeam);
    expect(await see('gus', channels.partners)).toMatchObject({
      open: null,
      conversations: [{ id: copy.id, isShared: false, isMember: false }],
    });
  });
});

describe('the people', () => {
  test('are those whom one can act as: neither the bot nor who has left', async ({ see }) => {
    const names = (await see('ana')).people.map(({ name }) => name);
    expect(names).toEqual(['ana', 'ben', 'cara', 'dev', 'olga', 'oscar', 'gina', 'sid', 'gus']);
  });

  test('have their roles, their groups and their company', async ({ see }) => {
    const { people, me } = await see('gus');
    expect(Object.fromEntries(people.map(({ name, roles }) => [name, roles]))).toMatchObject({
      ana: ['agents'],
      cara: ['approvers'],
      olga: ['admin'],
      oscar: ['owner'],
      gina: ['guest'],
      sid: ['single-channel guest'],
      gus: [],
    });
    expect(me).toMatchObject({ id: users.gus, real_name: 'Gus Globex', team: 'Globex' });
    expect(people[0]?.team).toBe('Acme Support');
  });
});

describe('names', () => {
  test('of private channels are hidden from others than their members', async ({ see }) => {
    const ana = await see('ana');
    expect(ana.names.channels).toMatchObject({
      [channels.support]: 'support',
      [channels.partners]: 'partners',
      [channels.oldReturns]: 'old-returns',
    });
    for (const secret of [channels.supportLeads, channels.approvals]) {
      expect(ana.names.channels).not.toHaveProperty(secret);
    }
    expect(JSON.stringify(ana)).not.toContain('support-leads');
    expect((await see('cara')).names.channels[channels.supportLeads]).toBe('support-leads');
    expect((await see('gus')).names.channels).toEqual({ [channels.partners]: 'partners' });
  });

  test('of people, apps and groups are there', async ({ see, slack }) => {
    const { names } = await see('ana');
    expect(names.users).toMatchObject({
      [users.dora]: 'Dora Departed',
      [slack.installation().bot_user_id]: 'Countermand',
    });
    expect(names.groups[SEED.groups.approvers]).toBe('approvers');
  });
});

const unreadIn = (workspace: WorkspaceViewModel, id: string) => {
  const { isUnread, mentions } = listed(workspace, id);
  return { isUnread, mentions };
};
const READ = { isUnread: false, mentions: 0 };

describe('unread', () => {
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

  test('is no reply in a thread', async ({ see, slack }) => {
    const { ts } = slack.person('ana').say('Anyone?', { channel: '#support' });
    await see('ana', support);
    slack.person('ben').say('Here', { channel: '#support', thread_ts: ts });
    expect(unreadIn(await see('ana', partners), support)).toEqual(READ);
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
