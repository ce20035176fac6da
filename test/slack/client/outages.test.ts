/** The log tells the beginning and the end of a time in which Slack is away or denies access, and not each call. */
import { expect, test } from 'vitest';
import { ClaimLostError, type Exchange } from '../../../src/http/exchange.ts';
import type { Log } from '../../../src/outbox/ports.ts';
import { createTokenWatch, SCOPES } from '../../../src/slack/client/access.ts';
import { logOutages } from '../../../src/slack/client/slack-fetch.ts';

function listening() {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message.split(':')[0]} ${Object.values(fields).join(' ')}`);
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { log, lines };
}

const OK: Exchange = { type: 'answered', answer: { status: 200, headers: {}, body: '{"ok":true}' } };
const failed = (cause: Error): Exchange => ({
  type: 'failed',
  sent: false,
  timedOut: false,
  head: undefined,
  cause,
});

test('an outage of Slack has two lines, whatever was tried meanwhile, and one lost answer has no line', async () => {
  const { log, lines } = listening();
  let next: Exchange = OK;
  const send = logOutages(
    async () => next,
    log,
    () => 0,
  );
  const play = async (...results: Exchange[]) => {
    for (const result of results) {
      next = result;
      await send({ method: 'POST', path: '/api/auth.test', headers: {} }, { deadlineMs: 1, maxBytes: 1 });
    }
  };
  const refused = failed(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const stopped = failed(new ClaimLostError());
  const unavailable: Exchange = { type: 'answered', answer: { status: 503, headers: {}, body: '' } };
  await play(refused, refused, OK, stopped, stopped, stopped);
  expect(lines).toEqual([]);
  await play(refused, unavailable, refused, refused);
  expect(lines).toEqual(['error Slack does not answer ECONNREFUSED']);
  await play(OK, OK);
  expect(lines.slice(1)).toEqual(['info Slack answers again 4 0']);
});

test('a token that Slack refuses has one line until Slack accepts it again, in each workspace', () => {
  const { log, lines } = listening();
  const watch = createTokenWatch(log);
  const says = (workspace: string, body: string) =>
    watch.learn({ workspace, method: 'users.info' }, { status: 200, headers: {}, body });
  for (const workspace of ['T1', 'T1', 'T2']) says(workspace, '{"ok":false,"error":"token_revoked"}');
  expect(lines).toEqual([
    'error Slack does not accept the bot token of this workspace slack_token_refused T1 users.info token_revoked',
    'error Slack does not accept the bot token of this workspace slack_token_refused T2 users.info token_revoked',
  ]);
  // It says nothing about the token.
  watch.learn({ workspace: 'T1', method: 'users.info' }, { status: 429, headers: {}, body: '' });
  says('T1', '{"ok":false,"error":"channel_not_found"}');
  says('T1', '{"ok":true}');
  expect(lines.slice(2)).toEqual([
    'info Slack accepts the bot token of this workspace again slack_token_accepted T1',
  ]);
});

test('a refusal that another part has logged is no second line, and Slack’s next good answer ends it', () => {
  const { log, lines } = listening();
  const watch = createTokenWatch(log);
  const says = (body: string) =>
    watch.learn({ workspace: 'T1', method: 'users.info' }, { status: 200, headers: {}, body });
  watch.noteRefused('T1');
  says('{"ok":false,"error":"token_revoked"}');
  expect(lines).toEqual([]);
  says('{"ok":true}');
  expect(lines).toEqual(['info Slack accepts the bot token of this workspace again slack_token_accepted T1']);
});

test('a refusal of an organization’s token that another part has logged is ended by a good answer to one of its workspaces', () => {
  const { log, lines } = listening();
  const watch = createTokenWatch(log);
  const says = (body: string, organization?: string) =>
    watch.learn({ workspace: 'T1', organization, method: 'users.info' }, { status: 200, headers: {}, body });
  watch.noteRefused('E1');
  says('{"ok":true}');
  says('{"ok":false,"error":"token_revoked"}', 'E1');
  expect(lines.splice(0)).toEqual([expect.stringContaining('slack_token_refused T1')]);
  says('{"ok":true}', 'E1');
  expect(lines).toEqual([
    'info Slack accepts the bot token of this workspace again slack_token_accepted T1',
    'info Slack accepts the bot token of this organization again slack_token_accepted E1',
  ]);
});

test('a token that is accepted again lacks the scopes that it lacked before', () => {
  const { log, lines } = listening();
  const watch = createTokenWatch(log);
  const says = (body: string) =>
    watch.learn({ workspace: 'T1', method: 'users.info' }, { status: 200, headers: {}, body });
  const lacking = '{"ok":false,"error":"missing_scope","needed":"users:read"}';
  says(lacking);
  watch.noteRefused('T1');
  says(lacking);
  expect(lines).toEqual([
    expect.stringMatching(/^error .*slack_scopes_missing/),
    expect.stringMatching(/^info .*_accepted/),
  ]);
});

test('a missing scope has one line until a later answer names all scopes', () => {
  const { log, lines } = listening();
  const watch = createTokenWatch(log);
  const granted = SCOPES.filter((scope) => scope !== 'users:read');
  const answer = { ok: true, response_metadata: { scopes: granted } };
  expect([watch.checkScopes('T1', answer), watch.checkScopes('T1', answer)]).toEqual([
    ['users:read'],
    ['users:read'],
  ]);
  const refusal = '{"ok":false,"error":"missing_scope","needed":"users:read"}';
  watch.learn({ workspace: 'T1', method: 'users.info' }, { status: 200, headers: {}, body: refusal });
  expect(lines).toHaveLength(1);
  const headers = { 'x-oauth-scopes': SCOPES.join(', ') };
  watch.learn({ workspace: 'T1', method: 'auth.test' }, { status: 200, headers, body: '{"ok":true}' });
  expect(lines.slice(1)).toEqual(['info the bot token has all scopes again slack_scopes_granted T1']);
});

test('scopes of which one would do are one line, however often Slack names them', () => {
  const { log, lines } = listening();
  const watch = createTokenWatch(log);
  const granted = SCOPES.filter((scope) => scope !== 'channels:read').join(',');
  const needed = 'channels:read,groups:read,mpim:read,im:read';
  const body = JSON.stringify({ ok: false, error: 'missing_scope', needed, provided: granted });
  const headers = { 'x-oauth-scopes': granted };
  for (let n = 0; n < 3; n += 1)
    watch.learn({ workspace: 'T1', method: 'conversations.info' }, { status: 200, headers, body });
  expect(lines).toHaveLength(1);
});

test.each([
  ['mpim:read', ''],
  ['channels:read,groups:read,mpim:read,im:read', SCOPES.join(',')],
])('a scope that the bot does not request is not missed (needed: %s)', (needed, provided) => {
  const { log, lines } = listening();
  const body = JSON.stringify({ ok: false, error: 'missing_scope', needed, provided });
  const call = { workspace: 'T1', method: 'conversations.info' };
  createTokenWatch(log).learn(call, { status: 200, headers: {}, body });
  expect(lines).toEqual([]);
});

test('a refused token, or a missing scope, of an organization is logged for the organization, and so is its end', () => {
  const told: [{ event?: string; workspace?: string; organization?: string }, string][] = [];
  const tell = (...line: (typeof told)[number]) => void told.push(line);
  const watch = createTokenWatch({ debug: tell, info: tell, warn: tell, error: tell });
  const says = (body: string, headers = {}) =>
    watch.learn({ workspace: 'E1', method: 'conversations.info' }, { status: 200, headers, body });
  says('{"ok":false,"error":"token_revoked"}');
  says('{"ok":false,"error":"missing_scope","needed":"users:read"}');
  says('{"ok":true}', { 'x-oauth-scopes': SCOPES.join(', ') });
  const events = ['token_refused', 'token_accepted', 'scopes_missing', 'scopes_granted'];
  expect(told.map(([{ event, organization }]) => [event, organization]).sort()).toEqual(
    events.map((event) => [`slack_${event}`, 'E1']).sort(),
  );
  expect(told[0]?.[1]).toContain('the bot token of this organization');
});
