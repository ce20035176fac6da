/**
 * Checks that the local Slack invents no key: every key of its answers and events is among those that Slack's pages show
 * (documented.ts) or that were recorded. Put a recording of a session in a real workspace (docs/acceptance.md)
 * beside this file, and it is compared with the same session in the local Slack.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordAcceptance } from '../../../test/process/support/acceptance-session.ts';
import { temporaryFolder } from '../../../test/support/storage/stores.ts';
import { startRecorder } from '../../record/recorder.ts';
import { createRecording, invented } from '../../record/recording.ts';
import { createRedaction } from '../../record/redact.ts';
import { SEED_ENTERPRISE } from '../../slack/world/seed/enterprise.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { readRecording, type Sample } from '../support/recorded.ts';
import { openSlackHarness } from '../support/slack-harness.ts';
import { DOCUMENTED, ENVELOPE } from './documented.ts';

const FOLDER = import.meta.dirname;
const { team, otherTeam, users, channels, groups } = SEED;

const EVENTS = [
  'reaction_added',
  'member_left_channel',
  'channel_archive',
  'channel_left',
  'channel_shared',
  'channel_unshared',
  'subteam_members_changed',
  'subteam_updated',
];

/** Plays everything that documented.ts contains in the local Slack, in its simplest and in its fullest form. */
async function recordLocally() {
  const out = temporaryFolder();
  const harness = await openSlackHarness({ subscriptions: EVENTS, enterprise: true });
  const { slack, bot } = harness;
  const recording = createRecording(out, createRedaction());
  const recorder = await startRecorder({ recording, slackApiUrl: slack.apiUrl, botUrl: bot.url });
  slack.connectApp({ requestUrl: `${recorder.frontUrl}/slack/events` });
  const ask = async (method: string, args: Record<string, string>, place: string = team) => {
    const { token } = slack.installation(place);
    const headers = { authorization: `Bearer ${token}` };
    await fetch(new URL(method, recorder.apiUrl), {
      method: 'POST',
      headers,
      body: new URLSearchParams(args),
    });
  };

  const hank = slack.admin.addUser({ team_id: otherTeam, name: 'hank' }).id;
  slack.admin.install(SEED_ENTERPRISE.id);
  for (const user of [users.ana, users.gus, hank]) await ask('users.info', { user });
  await ask('users.info', { user: SEED_ENTERPRISE.users.ida }, SEED_ENTERPRISE.id);
  for (const channel of [channels.support, channels.partners]) await ask('conversations.info', { channel });
  await ask('conversations.info', { channel: SEED_ENTERPRISE.channels.support }, SEED_ENTERPRISE.id);
  for (let n = 0; n < 2; n++) await ask('conversations.open', { users: users.ana });

  const message = slack.person('ana').say('Hello', { channel: '#support' });
  slack.person('ben').react('eyes', { channel: '#support', ts: message.ts });
  slack.admin.archive(channels.support);
  slack.admin.unarchive(channels.support);
  for (const user of [users.ben, slack.installation().bot_user_id])
    slack.admin.invite(channels.support, user);
  slack.admin.share(channels.support, otherTeam);
  slack.admin.unshare(channels.support, otherTeam);
  slack.admin.kick(channels.support, users.ben);
  slack.admin.setUserGroup(groups.agents, { users: [users.ana] });
  slack.admin.kick(channels.support, slack.installation().bot_user_id);
  await Promise.all(slack.events.list().map(({ settled }) => settled));
  await recorder.close();
  return readRecording(out);
}

/** Returns what Slack sent, without the app's part: the answers to calls, the bodies of requests. */
const saidIn = (samples: readonly Sample[] = []) =>
  samples.flatMap(({ response, body }) => (response ? [response.body] : [body]));

/** Returns the keys that the local Slack has invented, by file. A key may be in a session or on Slack's pages. */
function strangeIn(local: Map<string, Sample[]>, real: ReadonlyMap<string, unknown[]>): string[] {
  const compared = [...real.keys()].filter((file) => local.has(file));
  expect(compared.length).toBeGreaterThan(0);
  return compared.flatMap((file) => {
    const envelope = file.startsWith('events/') ? [ENVELOPE] : [];
    const known = [...(real.get(file) ?? []), ...(DOCUMENTED.get(file) ?? []), ...envelope];
    return invented(saidIn(local.get(file)), known).map((path) => `${file} ${path}`);
  });
}

test('the local Slack says nothing that is not on its pages', async () => {
  const local = await recordLocally();
  expect([...DOCUMENTED.keys()].filter((file) => !local.has(file))).toEqual([]);
  expect(strangeIn(local, DOCUMENTED)).toEqual([]);
});

test('in the session of docs/acceptance.md the local Slack says nothing that a real one has not said', async ({
  skip,
}) => {
  const folders = globSync('*/', { cwd: FOLDER });
  skip(folders.length === 0, 'there is no recording in sandbox/test/record');
  const local = readRecording((await recordAcceptance('socket')).out);
  const strange = folders.map((folder) => {
    const real = [...readRecording(join(FOLDER, folder))].map(
      ([file, samples]) => [file, saidIn(samples)] as const,
    );
    return [folder, strangeIn(local, new Map(real))];
  });
  expect(strange).toEqual(folders.map((folder) => [folder, []]));
});
