import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createBody } from '../../src/http/exchange.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { hostileService } from '../order-service/hostile-service.ts';

/** The same bytes, cut at these places. */
function inChunks(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, i) => bytes.subarray(places[i], to));
}

test('the body is the text that was sent, wherever its bytes are cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), fc.array(fc.nat()), (text, cuts) => {
      const body = createBody(100_000);
      for (const chunk of inChunks(Buffer.from(text), cuts)) expect(body.add(chunk)).toBe(true);
      expect(body.text()).toBe(text);
    }),
  );
});

test('a byte-order mark is no part of the text, however it arrives', () => {
  const body = createBody(100);
  for (const chunk of inChunks(Buffer.from('\ufeff{}'), [1, 2])) body.add(chunk);
  expect(body.text()).toBe('{}');
});

test('a body never grows beyond its limit', () => {
  const sizes = fc.array(fc.nat({ max: 9_000 }), { maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.nat({ max: 50_000 }), (chunks, limit) => {
      const body = createBody(limit);
      const taken = chunks.filter((size) => body.add(Buffer.alloc(size, 'x')));
      const length = taken.reduce((sum, size) => sum + size, 0);
      expect(length).toBeLessThanOrEqual(limit);
      expect(body.text()).toHaveLength(length);
      expect(body.add(Buffer.alloc(limit - length + 1))).toBe(false);
    }),
  );
});

test('a megabyte in chunks of one byte costs little more than a megabyte', async () => {
  const piece = '1\r\n \r\n'.repeat(8_192);
  const { url } = await hostileService((socket) => {
    socket.write('HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n');
    for (let i = 0; i < 127; i++) socket.write(piece);
    socket.end('0\r\n\r\n');
  });
  const client = createOrderService(url);
  onTestFinished(() => client.close());
  const before = process.memoryUsage().heapUsed;
  expect(await client.getSubBrands('token-of-one')).toMatchObject({ why: 'unreadable' });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
});
