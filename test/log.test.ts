import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../src/log.ts';

function capture(pretty: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { log: createLogger({ level: 'trace', pretty }, stream), text: () => text };
}

describe.each([false, true])('the log (pretty: %s)', (pretty) => {
  test.each([
    ['a bot token', { note: 'xoxb-12-secret-34' }],
    ['an app token', { note: 'xapp-1-secret' }],
    ['the ticket of a connection', { note: 'wss://wss.slack.com/link/?ticket=secret-1&app_id=1' }],
    ['a header', { headers: { authorization: 'Bearer secret' } }],
    ['a bearer in a text', { note: 'sent Bearer secret.abc to it' }],
    [
      'a field named like a secret',
      { apiToken: 'secret', signing_secret: 'secret', nested: { token: 'a"secret' } },
    ],
    ['an error', { err: Object.assign(new Error('Bearer secret'), { token: 'secret' }) }],
  ])('masks %s', (_name, fields) => {
    const { log, text } = capture(pretty);
    log.info(fields, 'message');
    expect(text()).toContain('message');
    expect(text()).not.toMatch(/(?<!signing_|\bclient)secret(?!")/);
  });

  test('keeps what is no secret', () => {
    const { log, text } = capture(pretty);
    log.info({ request: 'bcdfghjkmnpq', tokenKind: 'rest' }, 'act done');
    expect(text()).toContain('bcdfghjkmnpq');
    expect(text()).toContain('rest');
  });
});
