import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/storage/stores.ts';
import { losesFirstPosts, startRecorder } from '../../record/recorder.ts';
import { createRecording } from '../../record/recording.ts';
import { createRedaction } from '../../record/redact.ts';
import { readRecording } from '../support/recorded.ts';
import { openSlackHarness, SUPPORT } from '../support/slack-harness.ts';

/** Opens a harness with a Slack behind a recorder that loses answers. Its call resolves with whether there was an answer. */
async function openLossyHarness() {
  const { slack, bot } = await openSlackHarness();
  const out = temporaryFolder();
  const recorder = await startRecorder({
    recording: createRecording(out, createRedaction()),
    slackApiUrl: slack.apiUrl,
    botUrl: bot.url,
    loses: losesFirstPosts(),
  });
  onTestFinished(recorder.close);
  const isAnswered = (args: Record<string, string>, method = 'chat.postMessage') =>
    fetch(new URL(method, recorder.apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.installation().token}` },
      body: new URLSearchParams({ text: 'Hello', ...args }),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  return { slack, out, isAnswered };
}

test('the answers to the first message and to the first reply are lost, though both are posted', async () => {
  const { slack, isAnswered } = await openLossyHarness();
  expect(await isAnswered({ channel: SUPPORT })).toBe(false);
  expect(await isAnswered({ channel: SUPPORT })).toBe(true);
  const [{ ts = '' } = {}] = slack.messages(SUPPORT);
  expect(await isAnswered({ channel: SUPPORT, thread_ts: ts })).toBe(false);
  expect(await isAnswered({ channel: SUPPORT, thread_ts: ts })).toBe(true);
  expect(slack.messages(SUPPORT)).toHaveLength(4);
});

test('what Slack refuses is told, and so is what goes to one person', async () => {
  const { isAnswered } = await openLossyHarness();
  expect(await isAnswered({ channel: 'C0NOWHERE1' })).toBe(true);
  expect(await isAnswered({ users: 'U0ANA00001' }, 'conversations.open')).toBe(true);
  expect(await isAnswered({ channel: SUPPORT })).toBe(false);
});

test('a lost answer is kept, and the timeline says that it was lost', async () => {
  const { out, isAnswered } = await openLossyHarness();
  await isAnswered({ channel: SUPPORT });
  await isAnswered({ channel: SUPPORT });
  expect(readRecording(out).get('web-api/chat.postMessage')).toHaveLength(1);
  const lines = readFileSync(join(out, 'timeline.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).lost)).toEqual([true, undefined]);
});
