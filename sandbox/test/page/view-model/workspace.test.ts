import { describe, expect } from 'vitest';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import { directMessage } from '../../../slack/world/channels.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { listed, openPageHarness, test } from '../support/harness.ts';

const { users, channels } = SEED;

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

  test('tells what is private, shared with others, archived, or not one’s own', async ({ see }) => {
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

  test('gets a conversation when its person is invited, and loses it when they are removed', async () => {
    const { see, slack } = await openPageHarness();
    slack.admin.invite(channels.approvals, users.gina);
    expect(sidebar(await see('gina'))).toEqual(['#support', '#approvals', 'Countermand']);
    slack.admin.kick(channels.approvals, users.gina);
    expect(sidebar(await see('gina'))).toEqual(['#support', 'Countermand']);
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
    const { people, me, team } = await see('gus');
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
    expect(team).toBe('Globex');
    expect(people[0]?.team).toBe('Acme Support');
  });
});

describe('names', () => {
  test('of private channels are not told to those outside', async ({ see }) => {
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

  test('of people, apps and groups are told', async ({ see, slack }) => {
    const { names } = await see('ana');
    expect(names.users).toMatchObject({
      [users.dora]: 'Dora Departed',
      [slack.installation().bot_user_id]: 'Countermand',
    });
    expect(names.groups[SEED.groups.approvers]).toBe('approvers');
  });
});
