/** `npm run record` against a local Slack: what goes between it and the bot is kept, and nothing in it tells of anybody. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../sandbox/environment.ts';
import { startBot } from '../../sandbox/lib/bot-process.ts';
import { SEED_TOKENS } from '../../sandbox/order-service/world/seed.ts';
import { readRecording } from '../../sandbox/test/support/recorded.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { REASON, recordAcceptance } from './support/acceptance-session.ts';

describe.each<Transport>(['http', 'socket'])('a recorded session over %s', (transport) => {
  test('holds each method, event and command, and no secret, name, id or word of anybody', async () => {
    const { slack, out, timeline, printed } = await recordAcceptance(transport);
    const recording = readRecording(out);
    for (const file of [
      'web-api/auth.test',
      'web-api/chat.postMessage',
      'web-api/reactions.get',
      'web-api/conversations.members',
      'web-api/users.conversations',
      'web-api/users.info',
      'web-api/views.open',
      'events/reaction_added',
      'events/member_left_channel',
      'events/group_left',
      'events/app_uninstalled',
      'commands/cancel-order',
      'interactivity/block_actions',
      'interactivity/view_submission',
      'options/block_suggestion',
      ...(transport === 'socket' ? ['socket/hello', 'socket/envelope', 'socket/acknowledgement'] : []),
    ])
      expect(recording.get(file), file).toBeDefined();
    expect(recording.get('web-api/usergroups.list')).toContainEqual(
      expect.objectContaining({ response: expect.objectContaining({ status: 429, retryAfter: '30' }) }),
    );
    expect(printed).toMatch(/Replaced: \d+ ids, \d+ texts/);
    expect(printed).not.toContain('Left out');

    const { users, channels, teams, userGroups, installations } = slack.world;
    const [app] = installations.values();
    const tellTale = [
      slack.signingSecret,
      slack.appToken,
      SEED_TOKENS.acme.rest,
      REASON,
      'Zanzibar',
      'A-1001',
      'It was shipped',
      'countermand-approvals',
      ...[app?.token, app?.bot_id, app?.app_id].map(String),
      ...[...users.values()].flatMap(({ id, real_name }) => [id, real_name]),
      ...[...teams.values()].flatMap(({ id, name, domain }) => [id, name, domain]),
      ...[...channels.keys(), ...userGroups.keys()],
      'trigger_id": "1',
      'hooks.slack',
      '127.0.0.1',
    ];
    const files = globSync('**/*.*', { cwd: out }).map((file) => readFileSync(join(out, file), 'utf8'));
    const everything = files.join('\n');
    expect(tellTale.filter((each) => everything.includes(each))).toEqual([]);
    // A short name may stand in another word: as a whole text it does not.
    const people = [...users.values()].filter(({ is_bot }) => !is_bot);
    expect(people.filter(({ name }) => everything.includes(`"${name}"`))).toEqual([]);

    // The same is replaced by the same: Olga was the first to type something, and is asked about.
    const [, olga = 'nobody'] =
      /"user_id":"(UREDACTED\d+)"/.exec(JSON.stringify(recording.get('commands/countermand'))) ?? [];
    const answered = JSON.stringify(recording.get('web-api/users.info'));
    expect(answered).toContain(`"request":{"user":"${olga}"}`);
    expect(answered).toContain(`"id":"${olga}"`);

    // A reaction that comes before the message's location is stored is refused, and Slack sends it again.
    const votes = timeline.filter(({ name, retryNum = 0 }) => name === 'reaction_added' && !Number(retryNum));
    const names = votes.map(({ reaction }) => reaction);
    expect(names).toEqual(['+1', '+1', ...Array(5).fill('eyes'), '+1::skin-tone-5']);
    const times = votes.map(({ event_ts }) => event_ts);
    expect(times).toEqual([...times].sort());
  });
});

test('a bot that does not start leaves a folder that the next try takes', async () => {
  const out = temporaryFolder();
  for (const _try of ['first', 'second']) {
    const recorder = startBot('sandbox/record/main.ts', { SLACK_BOT_TOKEN: '' }, ['--out', out]);
    await recorder.ended;
    expect(recorder.output()).toContain('SLACK_BOT_TOKEN is missing');
  }
});

test.each([
  ['no folder', [], '--out is missing'],
  [
    'a folder that holds something',
    ['--out', import.meta.dirname],
    'is not empty. Delete it, or name another folder',
  ],
])('given %s the recorder says how it is used, and begins nothing', async (_what, args, text) => {
  const recorder = startBot('sandbox/record/main.ts', {}, args);
  expect(await recorder.ended).toBe(2);
  expect(recorder.output()).toContain(text);
  expect(recorder.output()).toContain('npm run record -- --out');
});
