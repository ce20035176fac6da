/** What Slack says of a workspace with the bot's token: its address, and the scopes that the token lacks. */
import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { SCOPES } from '../../../src/slack/client/access.ts';
import { createAboutWorkspace } from '../../../src/slack/directory/directory.ts';

const HOUR_MS = 60 * 60_000;

/** @param answer of Slack, which may change; its calls are counted */
function readerOf(answer: object) {
  const slack = { answer, calls: 0, clock: 0 };
  const test = async () => {
    slack.calls += 1;
    return slack.answer;
  };
  const interactive = async () => ({ auth: { test } }) as unknown as webApi.WebClient;
  return { slack, read: createAboutWorkspace({ interactive }, () => slack.clock) };
}

const URL = 'https://acme.slack.com/';

test('the address has no path, and a token with all scopes lacks none', async () => {
  const { read } = readerOf({ url: `${URL}some/page`, response_metadata: { scopes: [...SCOPES, 'more'] } });
  expect(await read('T1')).toEqual({ origin: 'https://acme.slack.com', missingScopes: [] });
});

test('lacking scopes are named', async () => {
  const { read } = readerOf({ url: URL, response_metadata: { scopes: SCOPES.slice(1) } });
  expect(await read('T1')).toMatchObject({ missingScopes: [SCOPES[0]] });
});

test.each([
  ['nothing', {}],
  ['no address that can be read', { url: 'acme', response_metadata: {} }],
])('if Slack says %s, nothing is claimed', async (_what, answer) => {
  expect(await readerOf(answer).read('T1')).toEqual({ origin: undefined, missingScopes: undefined });
});

test('Slack is asked once an hour for a workspace, and at once where it has to be certain', async () => {
  const { slack, read } = readerOf({ url: URL });
  await read('T1');
  await read('T1');
  expect(slack.calls).toBe(1);
  await read('T2');
  expect(slack.calls).toBe(2);
  slack.answer = { url: 'https://renamed.slack.com/' };
  expect(await read('T1')).toMatchObject({ origin: 'https://acme.slack.com' });
  expect(await read('T1', true)).toMatchObject({ origin: 'https://renamed.slack.com' });
  expect(await read('T1')).toMatchObject({ origin: 'https://renamed.slack.com' });
  expect(slack.calls).toBe(3);
  slack.clock += HOUR_MS + 1;
  await read('T1');
  expect(slack.calls).toBe(4);
});
