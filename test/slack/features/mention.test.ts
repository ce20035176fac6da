/** The workspace in which a person writes to the bot, where several have the channel; with the bot: test/e2e/request. */
import { describe, expect, test } from 'vitest';
import { mention } from '../../../src/slack/features/mention.ts';

type Deps = Parameters<typeof mention>[0];
type How = { text: string; kind?: 'channel' | 'im'; own?: string; isBot?: boolean };

/**
 * T1, which Slack names, and T2 have the channel. Their bots are BOT1 and BOT2.
 *
 * @param own the workspace of the person
 * @returns the workspaces that answered, and how often Slack was asked for others
 */
async function written({ text, kind = 'channel', own = 'T2', isBot = false }: How) {
  const answered: string[] = [];
  let looks = 0;
  const clientOf = (workspace: string) => {
    const answer = async () => void answered.push(workspace);
    return { chat: { postMessage: answer, postEphemeral: answer } };
  };
  const deps = {
    directory: {
      person: async (workspace: string, id: string) => ({ id, ownTeam: workspace === own, isBot }),
      teamsWith: async () => {
        looks += 1;
        return ['T2'];
      },
    },
    installations: { hasOthers: async () => true },
    installedIn: async () => ({ client: clientOf('T2'), botUserId: 'BOT2' }),
    settings: async () => ({}),
    monotonic: () => 0,
    log: { warn() {} },
  } as unknown as Deps;
  const context = { teamId: 'T1', botUserId: 'BOT1', enterpriseId: 'E1' };
  const event = { type: 'app_mention', user: 'U1', text, channel: 'C1', channel_type: kind, ts: '1.0' };
  const listen = mention(deps).events?.app_mention;
  await listen?.({ event, context, client: clientOf('T1'), body: {} } as never);
  return { answered, looks };
}

describe('a mention is answered', () => {
  test.each(['<@BOT2> cancel A-1', '<@BOT2|countermand> cancel A-1'])(
    'by another workspace of the channel, if it is that of the person, and they mention its bot: %s',
    async (text) => {
      expect((await written({ text })).answered).toEqual(['T2']);
    },
  );

  test('by the workspace that Slack names, if it is that of the person, whatever it calls its bot', async () => {
    const text = '<@BOTX> cancel A-1';
    expect(await written({ text, own: 'T1' })).toEqual({ answered: ['T1'], looks: 0 });
  });

  test.each(['<@BOT1> cancel A-1', '<@BOT22> cancel A-1', 'BOT2: cancel A-1'])(
    'by no other workspace, if its bot is not meant: %s',
    async (text) => {
      expect((await written({ text })).answered).toEqual([]);
    },
  );

  test('by none, if a bot wrote it, of whichever workspace', async () => {
    expect((await written({ text: '<@BOT2> help', isBot: true })).answered).toEqual([]);
    const ofNamed = await written({ text: '<@BOT2> help', isBot: true, own: 'T1' });
    expect(ofNamed).toEqual({ answered: [], looks: 0 });
  });
});

test('a direct message concerns nobody else: Slack is not asked who has its channel', async () => {
  expect(await written({ text: '<@BOT2> cancel A-1', kind: 'im' })).toEqual({ answered: [], looks: 0 });
});
