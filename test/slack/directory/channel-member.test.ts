import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../../sandbox/lib/http/journal.ts';
import { startSlack } from '../../../sandbox/slack/start.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import { createDirectory } from '../../../src/slack/directory/directory.ts';
import { slackClientsTo } from '../../support/slack-clients.ts';

test.each(['the person has left', 'the channel has changed'])(
  'whether a person is a member of a channel is asked anew once Slack says that %s',
  async (what) => {
    const slack = await startSlack({ journal: createJournal() });
    onTestFinished(slack.close);
    const directory = createDirectory(slackClientsTo(slack), () => 0, { checkScopes: () => [] });
    const channel = slack.world.channels.get(SEED.channels.approvals);
    if (!channel) throw new Error('There is no private channel of the bot.');
    const isOlgaIn = () => directory.isChannelMember(SEED.team, channel.id, SEED.users.olga);
    expect(await isOlgaIn()).toBe(true);
    channel.members.delete(SEED.users.olga);
    expect(await isOlgaIn()).toBe(true);
    if (what === 'the person has left') directory.forgetMember(SEED.team, channel.id, SEED.users.olga);
    else directory.forgetChannel(SEED.team, channel.id);
    expect(await isOlgaIn()).toBe(false);
  },
);
