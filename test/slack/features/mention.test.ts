/** The workspace in which a person writes to the bot, where several have the channel; with the bot: test/e2e/request. */
import { webApi } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../src/requests/model/settings.ts';
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
  const { answered, looks, say } = listening({ own, isBot });
  await say(text, { kind });
  return { answered, looks: looks() };
}

function listening({
  own,
  isBot = false,
  isGuest = false,
  settings = {},
}: {
  own: string;
  isBot?: boolean;
  isGuest?: boolean;
  settings?: Pick<Settings, 'orderIdPattern'>;
}) {
  const answered: string[] = [];
  const texts: string[] = [];
  let isLimited = false;
  let looks = 0;
  let now = 0;
  let written = 0;
  const clientOf = (workspace: string) => {
    const answer = async ({ text }: { text: string }) => {
      if (isLimited) throw new webApi.WebAPIRateLimitedError(1);
      answered.push(workspace);
      texts.push(text);
    };
    return { chat: { postMessage: answer, postEphemeral: answer } };
  };
  const deps = {
    directory: {
      person: async (workspace: string, id: string) => ({
        id,
        ownTeam: workspace === own,
        isBot,
        isGuest,
      }),
      teamsWith: async () => {
        looks += 1;
        return ['T2'];
      },
    },
    installations: { hasOthers: async () => true },
    installedIn: async () => ({ client: clientOf('T2'), botUserId: 'BOT2' }),
    settings: async () => settings,
    monotonic: () => now,
    log: { warn() {} },
  } as unknown as Deps;
  const context = { teamId: 'T1', botUserId: 'BOT1', enterpriseId: 'E1' };
  const listen = mention(deps).events?.app_mention;
  /** @returns the answer */
  async function say(
    text: string,
    {
      kind = 'channel',
      channel = 'C1',
      user = 'U1',
      ts,
      retryNum,
    }: { kind?: string; channel?: string; user?: string; ts?: string; retryNum?: number } = {},
  ): Promise<string | undefined> {
    written += 1;
    const before = texts.length;
    const event = { type: 'app_mention', user, text, channel, channel_type: kind, ts: ts ?? `${written}.0` };
    await listen?.({ event, context: { ...context, retryNum }, client: clientOf('T1'), body: {} } as never);
    return texts.slice(before).join();
  }
  const wait = (ms: number) => {
    now += ms;
  };
  const limit = (is: boolean) => {
    isLimited = is;
  };
  return { answered, looks: () => looks, say, wait, limit };
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

test.each([
  ['cancel everything please', 'cancel an order'],
  ['cancel #A-1001', 'cancel order A-1001'],
  ['cancel a-1001', 'cancel order A-1001'],
  ['cancel A-100', 'cancel order A-100'],
  ['cancel A-100 from PO-77', 'cancel order A-100'],
  ['cancel PO-77, that is A-1001', 'cancel order A-1001'],
  ['cancel offer everything', 'cancel an offer'],
  ['cancel offer 4711 of A-1001', 'cancel offer 4711'],
])(
  'a word that is no id by the pattern of the workspace is not offered as one, unlike a mistyped id: %s',
  async (text, offered) => {
    const { say } = listening({ own: 'T1', settings: { orderIdPattern: 'A-####' } });
    expect(await say(`<@BOT1> ${text}`)).toContain(`Press the button to ${offered}.`);
  },
);

describe('help', () => {
  const HELP = /^Write “cancel order”/;

  test('comes once in a minute for what is no command, to each person, in each place', async () => {
    const { say, wait } = listening({ own: 'T1' });
    expect(await say('<@BOT1> hello')).toMatch(HELP);
    expect(await say('<@BOT1> thanks')).toBe('');
    expect(await say('hello', { kind: 'im', channel: 'D1' })).toMatch(HELP);
    expect(await say('<@BOT1> hello', { user: 'U2' })).toMatch(HELP);
    wait(59_999);
    expect(await say('<@BOT1> help')).toBe('');
    wait(2);
    expect(await say('<@BOT1> hello')).toMatch(HELP);
  });

  test.each(['help', '<@BOT1> please help me', 'status A-1001', "what's the status of A-1001?"])(
    'answers a question: %s',
    async (text) => {
      const { say } = listening({ own: 'T1' });
      expect(await say(text)).toMatch(
        /^Write “cancel order”.*`\/countermand status &lt;id&gt;` shows the status/,
      );
    },
  );

  test('has one sentence for a guest, who cannot use the command', async () => {
    const { say } = listening({ own: 'T1', isGuest: true });
    expect(await say('status A-1001')).toMatch(/^Guests cannot use Countermand/);
  });

  test('is asked for by no answer of the bot, so that one which is echoed brings no other', async () => {
    for (const text of ['cancel A-1001', 'cancel an order', 'send offer O-1']) {
      const { say } = listening({ own: 'T1' });
      const help = (await say('hello')) ?? '';
      expect(await say(help)).toBe('');
      expect(await say((await say(text)) ?? '')).toBe('');
    }
  });
});

test('a message that Slack was too busy to take an answer to is answered when its event comes again', async () => {
  const { say, limit } = listening({ own: 'T1' });
  limit(true);
  await expect(say('help')).rejects.toThrow();
  limit(false);
  expect(await say('help', { retryNum: 1, ts: '1.0' })).toContain('I give you a button');
});
