/** What is forgotten of a channel in each workspace that has it; with real channels: test/e2e/shared-channels. */
import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { lifecycle } from '../../../src/slack/features/lifecycle.ts';

type Deps = Parameters<typeof lifecycle>[0];

const REACH_CHANGED = [
  ...(['channel_left', 'channel_archive', 'channel_unarchive', 'channel_deleted'] as const),
  ...(['group_left', 'group_archive', 'group_unarchive', 'group_deleted'] as const),
];

type Reported = 'member_joined_channel' | 'member_left_channel' | (typeof REACH_CHANGED)[number];

/** A channel of T1, which Slack names, and of T2, where the bot is another user. */
async function changed(type: Reported, user: string): Promise<string[]> {
  const done: string[] = [];
  const note =
    (what: string) =>
    (workspace: string): void =>
      void done.push(`${workspace}: ${what}`);
  const deps = {
    directory: {
      teamsWith: async () => ['T2'],
      forgetChannel: note('channel'),
      forgetMember: note('member'),
    },
    installations: { hasOthers: async () => true },
    installedIn: async (workspace: string) => ({ client: undefined, botUserId: `BOT${workspace}` }),
    approversChanged: async ({ workspace }: { workspace: string }) => note('approvers')(workspace),
    botLeft: async ({ workspace }: { workspace: string }) => note('left')(workspace),
    reachChanged: async ({ workspace }: { workspace: string }) => note('looked at')(workspace),
  } as unknown as Deps;
  const event = { type, channel: 'C1', user };
  const context = { teamId: 'T1', botUserId: 'BOTT1', enterpriseId: 'E1' };
  await lifecycle(deps).events?.[type]?.({ event, context, body: {} } as never);
  return done;
}

test.each([
  ['joins', 'member_joined_channel'],
  ['leaves', 'member_left_channel'],
] as const)(
  'a person who %s a channel is looked up anew, and the approvers counted, in each workspace',
  async (_name, type) => {
    expect(await changed(type, 'U1')).toEqual(['T1: member', 'T1: approvers', 'T2: member', 'T2: approvers']);
  },
);

test('if the bot of a workspace leaves a channel, that workspace reads the channel anew, and looks at its requests there', async () => {
  expect(await changed('member_left_channel', 'BOTT2')).toEqual([
    'T1: member',
    'T1: approvers',
    'T2: channel',
    'T2: left',
  ]);
  expect(await changed('member_left_channel', 'BOTT1')).toEqual([
    'T1: channel',
    'T1: left',
    'T2: member',
    'T2: approvers',
  ]);
});

test.each(REACH_CHANGED)(
  'Slack names no bot in %s: each workspace looks at its requests there',
  async (type) => {
    const isOut = type.endsWith('_left') || type === 'channel_unarchive';
    const done = isOut ? 'left' : 'looked at';
    const each = ['T1', 'T2'].flatMap((id) => [`${id}: channel`, `${id}: ${done}`]);
    expect(await changed(type, 'U1')).toEqual(each);
  },
);

describe.each(['channel_left', 'member_left_channel'] as const)(
  '%s of the bot, while people vote there',
  (type) => {
    async function left(join: () => Promise<unknown>, done: string[] = []): Promise<string[]> {
      const deps = {
        directory: { forgetChannel: () => void done.push('forgets'), teamsWith: async () => [] },
        installations: { hasOthers: async () => false },
        botLeft: (_where: object, joinAgain: () => Promise<void>) => joinAgain(),
        log: SILENT,
      } as unknown as Deps;
      const client = {
        conversations: {
          join: async ({ channel }: { channel: string }) => {
            done.push(`joins ${channel}`);
            return join();
          },
        },
      };
      const event = { type, channel: 'C1', user: 'BOT' };
      const context = { teamId: 'T1', botUserId: 'BOT' };
      await lifecycle(deps).events?.[type]?.({ event, context, client, body: {} } as never);
      return done;
    }

    test('leads it back into the channel, which is read anew', async () => {
      expect(await left(async () => {})).toEqual(['forgets', 'joins C1', 'forgets']);
    });

    test.each(['method_not_supported_for_channel_type', 'missing_scope'])(
      'is over if Slack refuses that: %s',
      async (error) => {
        const refused = new webApi.WebAPIPlatformError({ ok: false, error });
        expect(await left(() => Promise.reject(refused))).toContain('joins C1');
      },
    );

    test('must be delivered again if Slack does not say whether it has joined', async () => {
      await expect(left(() => Promise.reject(new Error('timed out')))).rejects.toThrow('timed out');
    });
  },
);

test('if the bot joins a channel, that workspace looks at its requests there, and counts the approvers, by what Slack says of the channel now', async () => {
  expect(await changed('member_joined_channel', 'BOTT1')).toEqual([
    ...['T1: channel', 'T1: looked at', 'T1: approvers'],
    ...['T2: member', 'T2: approvers'],
  ]);
});

test('the workspaces that have a channel are read anew once it becomes shared, with the installation that Slack authorized', async () => {
  const done: string[] = [];
  const deps = {
    directory: {
      async teamsWith(installation: string) {
        done.push(`${installation}: read`);
        return ['T1', 'T2'];
      },
      forgetChannel: (id: string) => void done.push(`${id}: forgotten`),
    },
    installations: { hasOthers: async () => true },
    installedIn: async () => ({ client: undefined, botUserId: 'BOT' }),
    sharingChanged: async ({ workspace }: { workspace: string }) => void done.push(`${workspace}: updated`),
  } as unknown as Deps;
  const event = { type: 'channel_shared', channel: 'C1' };
  const context = { teamId: 'E1', botUserId: 'BOT', enterpriseId: 'E1', isEnterpriseInstall: true };
  await lifecycle(deps).events?.channel_shared?.({ event, context, body: {} } as never);
  const inEach = ['T1', 'T2'].flatMap((id) => [`${id}: forgotten`, `${id}: updated`]);
  expect(done).toEqual(['E1: forgotten', 'E1: read', ...inEach]);
});

test('a user group that has changed is read anew before its approvers are counted', async () => {
  const done: string[] = [];
  const deps = {
    directory: {
      forgetGroup: (workspace: string, group: string) => void done.push(`${workspace}: ${group}`),
    },
    approversChanged: async ({ group }: { group: string }) => void done.push(`counted: ${group}`),
  } as unknown as Deps;
  const { events = {} } = lifecycle(deps);
  const context = { teamId: 'T1' };
  await events.subteam_members_changed?.({
    event: { type: 'subteam_members_changed', subteam_id: 'S1' },
    context,
  } as never);
  await events.subteam_updated?.({
    event: { type: 'subteam_updated', subteam: { id: 'S2' } },
    context,
  } as never);
  expect(done).toEqual(['T1: S1', 'counted: S1', 'T1: S2', 'counted: S2']);
});

test('what was known of the former id of a channel is forgotten before the requests get the new one', async () => {
  const done: string[] = [];
  const deps = {
    directory: { forgetChannel: (_: string, channel: string) => void done.push(`forgotten: ${channel}`) },
    installations: { hasOthers: async () => false },
    channelMoved: async ({ from, to }: Record<'from' | 'to', string>) => void done.push(`${from} -> ${to}`),
  } as unknown as Deps;
  const event = { type: 'channel_id_changed', old_channel_id: 'G1', new_channel_id: 'C1' };
  await lifecycle(deps).events?.channel_id_changed?.({
    event,
    context: { teamId: 'T1' },
    body: {},
  } as never);
  expect(done).toEqual(['forgotten: G1', 'G1 -> C1']);
});

test('an uninstall is that of the organization if its own installation was removed, though Slack also names a workspace', async () => {
  const recorded: unknown[] = [];
  const deps = {
    recordUninstall: async (reported: unknown) => void recorded.push(reported),
  } as unknown as Deps;
  const report = (isOrgWide: boolean) => {
    const authorizations = [{ enterprise_id: 'E1', team_id: 'T1', is_enterprise_install: isOrgWide }];
    const body = { team_id: 'T1', enterprise_id: 'E1', authorizations };
    return lifecycle(deps).events?.app_uninstalled?.({ event: { type: 'app_uninstalled' }, body } as never);
  };
  await report(true);
  await report(false);
  expect(recorded).toEqual([
    { id: 'E1', uninstalled: true },
    { id: 'T1', uninstalled: true, named: 'E1' },
  ]);
});
