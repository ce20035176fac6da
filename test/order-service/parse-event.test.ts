import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../src/order-service/parse-event.ts';
import { createSanitizer, type Sanitizer } from '../../src/order-service/redact.ts';

const TOPIC = 'order.cancellationrequest.updated';
const asIs: Sanitizer = (text) => text;
const parse = (body: unknown, sanitize = asIs) => parseEvent(Buffer.from(JSON.stringify(body)), sanitize);
const data = (more: object = {}) => ({ topic: TOPIC, data: { orderId: 'A-1', status: 'approved', ...more } });

describe('the body of an event', () => {
  test('is read as far as the bot uses it', () => {
    const parsed = parse(
      data({
        poNumber: null,
        createdAt: '2026-11-21T12:00:00Z',
        updatedAt: '2026-11-21T13:00:00.5+01:00',
        extra: [1],
      }),
    );
    expect(parsed).toEqual({
      type: 'event',
      unreadable: [],
      kind: 'cancel_order',
      event: {
        topic: 'updated',
        target: 'A-1',
        status: 'approved',
        createdAt: Date.UTC(2026, 10, 21, 12),
        updatedAt: Date.UTC(2026, 10, 21, 12) + 500,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  test('may begin with a byte-order mark, like an answer', () => {
    const body = Buffer.from(`\uFEFF${JSON.stringify(data())}`);
    expect(parseEvent(body, asIs)).toMatchObject({ type: 'event', event: { target: 'A-1' } });
  });

  test('has the id of an order of 1 to 255 characters', () => {
    for (const orderId of ['7', 'A'.repeat(255)])
      expect(parse(data({ orderId }))).toMatchObject({ type: 'event', event: { target: orderId } });
    for (const orderId of ['', 'A'.repeat(256)])
      expect(parse(data({ orderId }))).toMatchObject({ type: 'malformed' });
  });

  test('counts without times, and with times that cannot be read', () => {
    for (const times of [{}, { updatedAt: null }, { updatedAt: 'yesterday', createdAt: 7 }]) {
      const event = { target: 'A-1', createdAt: undefined, updatedAt: undefined };
      expect(parse(data({ createdAt: undefined, ...times }))).toMatchObject({ type: 'event', event });
    }
  });

  test.each([
    ['2026-11-21T12:00:00+0000'],
    ['2026-11-21T13:00:00+01'],
    ['2026-11-21T12:00Z'],
    ['2026-11-21t12:00:00.000z'],
    ['20261121T120000Z'],
  ])('is read with the time %s: ISO 8601 has more forms than one', (updatedAt) => {
    const event = { updatedAt: Date.UTC(2026, 10, 21, 12) };
    expect(parse(data({ updatedAt }))).toMatchObject({ event, unreadable: [] });
  });

  test('tells times apart that lie less than a millisecond apart', () => {
    const at = (fraction: string) => {
      const parsed = parse(data({ updatedAt: `2026-11-21T12:00:00.${fraction}Z` }));
      return parsed.type === 'event' ? parsed.event.updatedAt : undefined;
    };
    expect([at('123'), at('123000')]).toEqual(Array(2).fill(Date.UTC(2026, 10, 21, 12) + 123));
    expect(at('000101')).toBeGreaterThan(at('000100') ?? Number.NaN);
  });

  test.each(['2026-11-21T12:00:00', 'yesterday', 7])(
    'names the time %j, which cannot be read',
    (updatedAt) => {
      expect(parse(data({ updatedAt, createdAt: null }))).toMatchObject({ unreadable: ['updatedAt'] });
    },
  );

  test('keeps a status of any length, as far as it may be shown', () => {
    const parsed = parse(data({ status: 'on hold '.repeat(99) }), createSanitizer(undefined));
    expect(parsed).toMatchObject({ event: { status: 'accepted', word: expect.stringMatching(/^on hold/) } });
  });

  test('of a long status only the beginning is read: the rest is not shown, and would take time', () => {
    const lengths: number[] = [];
    const sanitize: Sanitizer = (text) => {
      lengths.push(text.length);
      return text;
    };
    parse(data({ status: 'a'.repeat(200_000) }), sanitize);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_000);
  });

  test('reads the status in whatever case, and keeps a word that nobody knows', () => {
    expect(parse(data({ status: 'Approved' }))).toMatchObject({ event: { status: 'approved' } });
    const event = { status: 'accepted', word: 'On Hold!' };
    expect(parse(data({ status: 'On Hold!' }))).toMatchObject({ event });
  });

  test('decides by the word as it came, and keeps its texts only as they may be shown', () => {
    const sanitize = createSanitizer('rest/Zk3v+9Qb');
    const parsed = parse(data({ orderId: 'A-1 rest/Zk3v+9Qb', status: 'approved\n' }), sanitize);
    expect(parsed).toMatchObject({
      event: { target: 'A-1 [token]', isAltered: true, status: 'accepted', word: 'approved' },
    });
    expect(parse(data({ status: '\n' }), sanitize)).not.toHaveProperty('event.word');
  });

  test.each(['A-1 ', 'A-1\0', 'A-1\u200f', 'A-1\u00a0'])(
    'names no request by %j, which reads like another id',
    (orderId) => {
      expect(parse(data({ orderId }), createSanitizer(undefined))).toMatchObject({
        event: { isAltered: true },
      });
      expect(parse(data({ orderId: 'A-1' }), createSanitizer(undefined))).not.toHaveProperty(
        'event.isAltered',
      );
    },
  );

  test('of a topic without use for the bot is ignored, its personal data unread', () => {
    const parsed = parse({ topic: 'offer.updated', data: { id: 'O-1', email: 'customer@example.com' } });
    expect(parsed).toEqual({ type: 'ignored' });
    for (const topic of ['order.created', 'constructor', '__proto__', '']) {
      expect(parse({ topic, data: {} })).toEqual({ type: 'ignored' });
    }
    for (const data of [[], null, 7, undefined]) {
      expect(parse({ topic: 'asset.created', data })).toEqual({ type: 'ignored' });
    }
  });

  test.each([
    ['not JSON', Buffer.from('{')],
    ['no object', Buffer.from('[]')],
    ['no topic', Buffer.from('{"data":{}}')],
    ['no data', Buffer.from(`{"topic":"${TOPIC}"}`)],
    ['no order', Buffer.from(JSON.stringify({ topic: TOPIC, data: { status: 'approved' } }))],
    ['an empty order', Buffer.from(JSON.stringify(data({ orderId: '' })))],
    ['no status', Buffer.from(JSON.stringify({ topic: TOPIC, data: { orderId: 'A-1' } }))],
    ['nothing', Buffer.alloc(0)],
  ])('with %s is malformed', (_name, body) => {
    expect(parseEvent(body, asIs)).toMatchObject({
      type: 'malformed',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('that is malformed is told by its fields, never by what stands in them', () => {
    const parsed = parse({
      topic: TOPIC,
      data: { orderId: 7, status: 'approved', customer: 'jo@example.com' },
    });
    expect(parsed).toMatchObject({ type: 'malformed', problems: ['orderId: invalid_type'] });
    expect(JSON.stringify(parsed)).not.toContain('jo@');
  });

  test('never throws, whatever it is', () => {
    const values = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record({ topic: fc.constant(TOPIC), data: fc.jsonValue() }).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(values, (text) => {
        expect(['event', 'ignored', 'malformed']).toContain(parseEvent(Buffer.from(text), asIs).type);
      }),
    );
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseEvent(Buffer.from(bytes), asIs)));
  });

  test('has the same digest when it comes again, and another one when a byte differs', () => {
    const digest = (body: object) => {
      const parsed = parse(body);
      return parsed.type === 'event' ? parsed.event.digest : undefined;
    };
    expect(digest(data())).toBe(digest(data()));
    expect(digest(data())).not.toBe(digest(data({ reason: 'x' })));
  });
});
