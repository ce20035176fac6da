/** What Slack says of a workspace with the bot's token: its address, and the scopes that the token lacks. */
import type { webApi } from '@slack/bolt';
import { expect, test } from 'vitest';
import { SILENT } from '../../../src/outbox/ports.ts';
import { createTokenWatch, SCOPES } from '../../../src/slack/client/access.ts';
import type { SlackClients } from '../../../src/slack/client/clients.ts';
import { createDirectory } from '../../../src/slack/directory/directory.ts';

const MINUTE_MS = 60_000;

/** @param answer of Slack, which may change; its calls are counted */
function readerOf(answer: object) {
  const slack = { answer, calls: 0, clock: 0 };
  const test = async () => {
    slack.calls += 1;
    return slack.answer;
  };
  const clients: Pick<SlackClients, 'installation' | 'withToken'> = {
    installation: async (workspace) => ({ workspace, botToken: 'xoxb-1', botUserId: 'U0' }),
    withToken: () => ({ auth: { test } }) as unknown as webApi.WebClient,
  };
  const watch = createTokenWatch(SILENT);
  const directory = createDirectory(clients as SlackClients, () => slack.clock, watch);
  return { slack, directory, read: directory.about };
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
  expect(await readerOf(answer).read('T1')).toEqual({ origin: undefined, missingScopes: [] });
});

test('Slack is asked once a minute for a workspace, also whether the bot may post there', async () => {
  const { slack, directory, read } = readerOf({ url: URL, response_metadata: { scopes: SCOPES } });
  await read('T1');
  expect(await directory.mayPost('T1')).toBe(true);
  expect(slack.calls).toBe(1);
  await read('T2');
  expect(slack.calls).toBe(2);
  slack.answer = { url: 'https://renamed.slack.com/' };
  expect(await read('T1')).toMatchObject({ origin: 'https://acme.slack.com' });
  slack.clock += MINUTE_MS + 1;
  expect(await read('T1')).toMatchObject({ origin: 'https://renamed.slack.com' });
  expect(slack.calls).toBe(3);
});

test('a scope without which messages can be posted is asked for once a minute, too', async () => {
  const { slack, read } = readerOf({ url: URL, response_metadata: { scopes: ['chat:write'] } });
  await read('T1');
  expect((await read('T1')).missingScopes.length).toBeGreaterThan(0);
  expect(slack.calls).toBe(1);
});

test('Slack is asked anew while the bot may not post: the scope may be granted at any moment', async () => {
  const lacking = SCOPES.filter((scope) => scope !== 'chat:write');
  const { slack, directory, read } = readerOf({ url: URL, response_metadata: { scopes: lacking } });
  expect(await read('T1')).toMatchObject({ missingScopes: ['chat:write'] });
  expect(await directory.mayPost('T1')).toBe(false);
  slack.answer = { url: URL, response_metadata: { scopes: SCOPES } };
  expect(await directory.mayPost('T1')).toBe(true);
});
