/** Who is in a channel with more members than Slack lists on one page. */
import { webApi } from '@slack/bolt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { createDirectory } from '../../../src/slack/directory/directory.ts';
import { isMember, type Reader } from '../../../src/slack/directory/read-people.ts';
import { slackClientsTo } from '../../support/slack-clients.ts';

/** The approvals channel with so many further members, all of whom Slack lists before Ana, Cara and the others. */
async function startCrowded(count: number) {
  const journal = createJournal();
  const slack = await startSlack({ journal });
  onTestFinished(slack.close);
  const channel = slack.world.channels.get(SEED.channels.approvals);
  for (let n = 0; n < count; n++) channel?.members.add(`U${String(n).padStart(9, '0')}`);
  const directory = createDirectory(slackClientsTo(slack), () => 0, { checkScopes: () => [] });
  return {
    decides: directory.readNow((await slackClientsTo(slack).interactive(SEED.team)) as webApi.WebClient),
    directory,
    calls: () => journal.entries(({ to }) => to === 'slack').length,
  };
}

test('five votes of a channel with 20,000 members are confirmed by ten calls', async () => {
  const { decides, calls } = await startCrowded(20_000);
  const { cara, dev, olga } = SEED.users;
  for (const voter of [cara, dev, olga, cara, dev])
    expect(await decides.isChannelMember(SEED.team, SEED.channels.approvals, voter)).toBe(true);
  expect(calls()).toBeLessThanOrEqual(10);
});

test('to learn that somebody is not in a channel with 200,000 members takes three calls', async () => {
  const { directory, calls } = await startCrowded(200_000);
  expect(await directory.isChannelMember(SEED.team, SEED.channels.approvals, SEED.users.ana)).toBe(false);
  expect(calls()).toBeLessThanOrEqual(3);
});

describe('in a channel with two pages, whoever is on the second one', () => {
  const refused = (error: string) => new webApi.WebAPIPlatformError({ ok: false, error });

  /** Slack lists these channels of U2, and describes the channel so. */
  const isIn = (theirs: unknown[] | Error, info: object) => {
    const client = {
      async *paginate(method: string) {
        if (method === 'users.conversations') {
          if (theirs instanceof Error) throw theirs;
          yield { channels: theirs };
          return;
        }
        yield { members: ['U1'], response_metadata: { next_cursor: 'next' } };
        yield { members: ['U2'], response_metadata: { next_cursor: '' } };
      },
      conversations: { info: async () => ({ channel: info }) },
    };
    return isMember({ client, installation: { workspace: 'T1' } } as unknown as Reader, 'C1', 'U2');
  };
  const OURS = { is_member: true, is_shared: false };

  test.each<[string, unknown[] | Error, object, boolean]>([
    ['is in it if it is one of their channels', [{ id: 'C9' }, { id: 'C1' }], OURS, true],
    ['is not in it any more if it is none', [{ id: 'C9' }], OURS, false],
    ['is found if the bot is not in it', [], { is_member: false, is_shared: false }, true],
    ['is found if it has several workspaces', [], { is_member: true, is_shared: true }, true],
    ['is found if Slack does not know them', refused('user_not_found'), { ...OURS, is_shared: true }, true],
  ])('%s', async (_what, theirs, info, expected) => {
    expect(await isIn(theirs, info)).toBe(expected);
  });

  test('is not denied while Slack does not list their channels', async () => {
    await expect(isIn(refused('internal_error'), OURS)).rejects.toThrow('internal_error');
  });
});
