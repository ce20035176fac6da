import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../../src/log.ts';

async function capture(pretty: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { log: await createLogger({ level: 'trace', pretty }, stream), text: () => text };
}

describe.each([false, true])('the log (pretty: %s)', (pretty) => {
  test.each([
    ['a bot token', { note: 'xoxb-12-secret-34' }],
    ['an app token', { note: 'xapp-1-secret' }],
    ['the ticket of a connection', { note: 'wss://wss.slack.com/link/?ticket=secret-1&app_id=1' }],
    ['a header', { headers: { authorization: 'Bearer secret' } }],
    ['a header of another scheme', { headers: { Authorization: 'Basic secret' } }],
    ['a bearer in a text', { note: 'sent Bearer secret.abc to it' }],
    ['a bearer in small letters', { note: 'sent bearer secret.abc to it' }],
    [
      'a field named like a secret',
      { apiToken: 'secret', signing_secret: 'secret', nested: { token: 'a"secret' } },
    ],
    [
      'the arguments that Redis quotes of a command that it does not know',
      { err: new Error(`ERR unknown command 'AUTH', with args beginning with: 'bot' 'a"secret' `) },
    ],
    ['a signature', { signature: 'sha256=secret-1' }],
    ['an error', { err: Object.assign(new Error('Bearer secret'), { token: 'secret' }) }],
  ])('masks %s', async (_name, fields) => {
    const { log, text } = await capture(pretty);
    log.info(fields, 'message');
    expect(text()).toContain('message');
    expect(text()).not.toMatch(/(?<!signing_)secret/);
  });

  test('keeps what is no secret', async () => {
    const { log, text } = await capture(pretty);
    log.info({ request: 'bcdfghjkmnpq', tokenKind: 'rest' }, 'act done');
    expect(text()).toContain('bcdfghjkmnpq');
    expect(text()).toContain('rest');
  });
});

describe('a line of the log', () => {
  /** The one line that is written for these fields, and its bytes. */
  async function lineOf(fields: object, message = 'message') {
    const { log, text } = await capture(false);
    log.warn(fields, message);
    return { line: JSON.parse(text()), bytes: Buffer.byteLength(text()) };
  }

  const LONGEST = 16_384;
  const circle: Record<string, unknown> = { name: 'circle' };
  circle['itself'] = circle;
  const deep = (levels: number): unknown => (levels === 0 ? 'deep' : { deeper: deep(levels - 1) });

  test.each<[string, object]>([
    ['a long text', { text: 'x'.repeat(1_000_000) }],
    ['a text that JSON makes six times as long', { text: '\u0001'.repeat(1_000_000) }],
    ['a long list', { list: Array(300_000).fill({}) }],
    [
      'many fields',
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field ${i}`, 'x'.repeat(100)])),
    ],
    ['long names of fields', { ['x'.repeat(100_000)]: 1, ['y'.repeat(100_000)]: 1 }],
    ['many things within each other', { deep: deep(2_000) }],
    ['a circle', circle],
    ['bytes', { bytes: Buffer.alloc(1_000_000) }],
    ['an error with a long message', { err: new Error('x'.repeat(1_000_000)) }],
    ['an error that causes itself', { err: causingItself() }],
    [
      'an error with many fields',
      { err: Object.assign(new Error('no'), { details: Array(9_000).fill(circle) }) },
    ],
    [
      'bearers without end',
      { text: 'Bearer x '.repeat(100_000), list: Array(500).fill('Bearer x Bearer y') },
    ],
  ])('is bounded with %s', async (_name, fields) => {
    const { line, bytes } = await lineOf(fields);
    expect(bytes).toBeLessThan(LONGEST);
    expect(line.msg).toBe('message');
  });

  test('is bounded whatever is logged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.anything({ maxDepth: 5 })),
        fc.string(),
        async (fields, message) => {
          expect((await lineOf(fields, message.repeat(100))).bytes).toBeLessThan(LONGEST);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('is bounded with a long message', async () => {
    expect((await lineOf({}, '\u0001'.repeat(100_000))).bytes).toBeLessThan(LONGEST);
  });

  test('says where something was left out, and how much', async () => {
    const bytes = Buffer.from('may be a key');
    const { line } = await lineOf({ text: 'x'.repeat(2_000), list: Array(300).fill(1), bytes });
    expect(line.text).toBe(`${'x'.repeat(1_000)}…`);
    expect(line.list).toEqual([...Array(100).fill(1), '200 more']);
    expect(line.bytes).toBe('(12 bytes)');
  });

  test('holds what is short as it is', async () => {
    const at = new Date(0);
    const fields = {
      a: 1,
      b: null,
      c: [true, 'x', { d: '…' }],
      at,
      url: new URL('https://x/'),
      none: undefined,
    };
    const { line } = await lineOf(fields);
    expect(line).toMatchObject({
      a: 1,
      b: null,
      c: [true, 'x', { d: '…' }],
      at: at.toJSON(),
      url: 'https://x/',
    });
  });

  test('tells of an error what it is, where it was thrown, and what caused it', async () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'E_INNER' });
    const { err } = (await lineOf({ err: Object.assign(new Error('outer', { cause }), { code: 'E_OUTER' }) }))
      .line;
    expect(err).toMatchObject({ type: 'Error', message: 'outer', code: 'E_OUTER' });
    expect(err.stack).toMatch(/^Error: outer\n +at .*logger\.test\.ts/);
    expect(err.cause).toMatchObject({ type: 'TypeError', message: 'inner', code: 'E_INNER' });
    const several = await lineOf({ err: new AggregateError([cause]) });
    expect(several.line.err.errors).toMatchObject([{ message: 'inner', code: 'E_INNER' }]);
  });

  test('tells of what does not fit a schema the first problem alone', async () => {
    const list = z.array(z.object({ id: z.string() }));
    const { error } = list.safeParse(Array(5_000).fill({ id: 7 }));
    const { line, bytes } = await lineOf({ err: error });
    expect(line.err).toMatchObject({ type: 'ZodError', message: '0.id: invalid_type (and 4999 more)' });
    expect(JSON.stringify(line)).not.toContain('expected');
    expect(bytes).toBeLessThan(2_000);
  });
});

function causingItself(): Error {
  const error = new Error('round and round');
  error.cause = error;
  return error;
}
