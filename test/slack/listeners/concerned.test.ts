/** Which workspaces an event about a channel concerns; with the bot and real channels: test/e2e/shared-channels. */
import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { NotInstalledError } from '../../../src/slack/client/installation.ts';
import { concernedBy, inEachConcerned } from '../../../src/slack/listeners/concerned.ts';

const OF_ORGANIZATION = { is_ext_shared_channel: false, enterpriseId: 'E1' };
const SHARED = { type: 'channel_shared' };
const EXTERNAL = { is_ext_shared_channel: true };

const MISSING_SCOPE = new webApi.WebAPIPlatformError({ ok: false, error: 'missing_scope' });

/** T2 lacks the bot, T3 may be unreadable, T4 and T5 are those of the organization that are known. */
function channelOfMany({ hasOthers = true, unreadable = 'T3' } = {}) {
  const asked: string[] = [];
  const deps = {
    directory: {
      async teamsWith(workspace: string, channel: string) {
        asked.push(`${workspace} ${channel}`);
        return ['T1', 'T2', 'T3', 'E1', 'T4'];
      },
    },
    installations: {
      hasOthers: async () => hasOthers,
      async *workspacesOf() {
        yield* ['T1', 'T4', 'T5'];
      },
    },
    async installedIn(workspace: string) {
      if (workspace === unreadable) throw new Error(`${workspace} cannot be read`);
      return workspace === 'T2' ? undefined : { client: `of ${workspace}`, botUserId: `U${workspace}` };
    },
  } as unknown as Parameters<typeof concernedBy>[0];
  return { deps, asked };
}

function eventOf({ is_ext_shared_channel = false, enterpriseId }: Partial<typeof OF_ORGANIZATION> = {}) {
  const context = { teamId: 'T1', botUserId: 'UT1', enterpriseId, isEnterpriseInstall: false };
  return { context, client: 'of T1', event: SHARED, body: { is_ext_shared_channel } } as never;
}

describe('an event about a channel concerns', () => {
  test.each([
    ['of its organization', OF_ORGANIZATION],
    ['of other companies', EXTERNAL],
  ])(
    'the workspace that Slack names, and others %s with the bot, each once and by its own token',
    async (_whose, event) => {
      const { deps } = channelOfMany();
      const found: unknown[] = [];
      const list = async () => {
        for await (const each of concernedBy(deps, eventOf(event), 'C1')) found.push(each);
      };
      await expect(list()).rejects.toThrow('T3 cannot be read');
      expect(found).toEqual(
        ['T1', 'T4', 'T5'].map((workspace) => ({
          workspace,
          client: `of ${workspace}`,
          botUserId: `U${workspace}`,
        })),
      );
    },
  );

  test.each([
    ['of no organization, if no other company has the channel', {}, true],
    ['without which nobody has the bot', { ...OF_ORGANIZATION, ...EXTERNAL }, false],
  ])('a workspace alone, %s: Slack is not asked', async (_which, event, hasOthers) => {
    const { deps, asked } = channelOfMany({ hasOthers });
    const workspaces: string[] = [];
    for await (const { workspace } of concernedBy(deps, eventOf(event), 'C1')) workspaces.push(workspace);
    expect([workspaces, asked]).toEqual([['T1'], []]);
  });

  test('nobody else, as far as is asked, where the first is the right one', async () => {
    const { deps, asked } = channelOfMany();
    for await (const _first of concernedBy(deps, eventOf(EXTERNAL), 'C1')) break;
    expect(asked).toEqual([]);
  });
});

describe('an event that Slack authorized for an organization', () => {
  const eventFor = (teamId: string) => {
    const context = { teamId, botUserId: `U${teamId}`, enterpriseId: 'E1', isEnterpriseInstall: true };
    return { context, client: `of ${teamId}`, event: SHARED, body: { is_ext_shared_channel: true } } as never;
  };
  const workspacesOf = async (teamId: string, hasOthers = true) => {
    const { deps, asked } = channelOfMany({ unreadable: 'none', hasOthers });
    const found = await Array.fromAsync(concernedBy(deps, eventFor(teamId), 'C1'));
    return [found.map(({ workspace }) => workspace), asked];
  };

  test('has its bot look at the channel, also for a workspace that acts with its own', async () => {
    expect(await workspacesOf('T4')).toEqual([['T4', 'T1', 'T3', 'T5'], ['E1 C1']]);
  });

  test('concerns the workspaces that its bot finds, if Slack named a workspace outside of the organization', async () => {
    expect(await workspacesOf('E1', false)).toEqual([['T1', 'T3', 'T4', 'T5'], ['E1 C1']]);
  });
});

test.each([
  ['in the one that Slack names', 'T1'],
  ['in another one', 'T4'],
])('what fails %s is done in the others, and Slack delivers the event again', async (_which, failing) => {
  const { deps } = channelOfMany({ unreadable: 'none' });
  const done: string[] = [];
  const act = async ({ workspace }: { workspace: string }) => {
    if (workspace === failing) throw new Error(`${workspace} failed`);
    done.push(workspace);
  };
  await expect(inEachConcerned(deps, eventOf(EXTERNAL), 'C1', act)).rejects.toThrow(`${failing} failed`);
  expect(done).toEqual(['T1', 'T3', 'T4', 'T5'].filter((workspace) => workspace !== failing));
});

test('what is done in each workspace that can be read is done again, for the one that cannot', async () => {
  const { deps } = channelOfMany();
  const done: string[] = [];
  const act = async ({ workspace }: { workspace: string }) => void done.push(workspace);
  await expect(inEachConcerned(deps, eventOf(EXTERNAL), 'C1', act)).rejects.toThrow('T3 cannot be read');
  expect(done).toEqual(['T1', 'T4', 'T5']);
});

test('Slack delivers an event again that failed in one workspace, and the log names another where no later delivery helps', async () => {
  const { deps } = channelOfMany({ unreadable: 'none' });
  const warned: object[] = [];
  const log = { ...SILENT, warn: (fields: object) => void warned.push(fields) };
  const act = async ({ workspace }: { workspace: string }) => {
    if (workspace === 'T3') throw MISSING_SCOPE;
    if (workspace === 'T4') throw new Error('The storage is away.');
  };
  const done = inEachConcerned({ ...deps, log }, eventOf(EXTERNAL), 'C1', act);
  await expect(done).rejects.toThrow('The storage is away.');
  expect(warned).toEqual([{ workspace: 'T3', name: SHARED.type, err: MISSING_SCOPE }]);
});

describe('where the installation that Slack authorized cannot tell who has the channel', () => {
  const CREATED_BY_T9 = { is_ext_shared_channel: true, team_id: 'T9', context_team_id: 'T1' };
  const dead = () => Promise.reject(new Error('token_revoked'));
  const gone = async () => [];

  /** @param says what Slack says to an installation; to all others: nothing is installed there */
  async function foundWhere(
    says: Readonly<Record<string, () => Promise<string[]>>>,
    { body = CREATED_BY_T9 as object, last = [] as string[], enterpriseId = '' } = {},
  ) {
    const { deps } = channelOfMany({ unreadable: 'none' });
    const asked: string[] = [];
    const directory = {
      async teamsWith(id: string) {
        asked.push(id);
        return says[id] ? says[id]() : Promise.reject(new NotInstalledError(id));
      },
      lastTeamsWith: () => last,
    };
    const context = { teamId: 'T1', botUserId: 'UT1', enterpriseId, isEnterpriseInstall: false };
    const found: string[] = [];
    const warned: object[] = [];
    const log = { ...SILENT, warn: (fields: object) => void warned.push(fields) };
    const event = { context, client: 'of T1', event: SHARED, body } as never;
    const act = async ({ workspace }: { workspace: string }) => void found.push(workspace);
    const failed = await inEachConcerned(
      { ...deps, directory: directory as never, log },
      event,
      'C1',
      act,
    ).then(() => undefined, String);
    return { found, asked, failed, warned };
  }

  test.each([
    ['its token is dead', dead],
    ['its bot is not in the channel any more', gone],
  ])('another one that Slack names is asked: %s', async (_why, ofT1) => {
    const found = await foundWhere({ T1: ofT1, T9: async () => ['T9', 'T1', 'T3'] });
    expect(found).toMatchObject({ found: ['T1', 'T9', 'T3'], asked: ['T1', 'T9'], failed: undefined });
  });

  test('and no other one can, it is done where Slack last said, and Slack delivers the event again', async () => {
    const found = await foundWhere({ T1: dead }, { last: ['T1', 'T3'] });
    expect(found).toMatchObject({ found: ['T1', 'T3'], asked: ['T1', 'T9'], failed: 'Error: token_revoked' });
  });

  test('because its token lacks a scope, it is done where Slack last said, and not delivered again: that would not help', async () => {
    const found = await foundWhere({ T1: () => Promise.reject(MISSING_SCOPE) }, { last: ['T3'] });
    expect(found).toEqual({
      found: ['T1', 'T3'],
      asked: ['T1', 'T9'],
      failed: undefined,
      warned: [{ workspace: 'T1', name: 'channel_shared', err: MISSING_SCOPE }],
    });
  });

  test('and Slack does not repeat what it said, that still counts', async () => {
    const found = await foundWhere({ T1: gone, T9: gone }, { last: ['T3'] });
    expect(found).toMatchObject({ found: ['T1', 'T3'], failed: undefined });
  });

  test('no other company is asked about a channel that only its organization has', async () => {
    const found = await foundWhere({ T1: gone }, { enterpriseId: 'E1', body: { team_id: 'T9' } });
    expect(found).toMatchObject({ found: ['T1'], asked: ['T1'], failed: undefined });
  });
});
