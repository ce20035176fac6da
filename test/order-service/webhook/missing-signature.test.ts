import { expect, test } from 'vitest';
import { type Endpoint, eventsRoute } from '../../../src/order-service/webhook/route.ts';

/** The route of a bot to which one endpoint belongs. */
function setUp() {
  const clock = { now: 0 };
  const looked: string[] = [];
  const counted: string[] = [];
  const mine: Endpoint = { workspace: 'T1', generation: 'g1', secrets: [], shown: (text) => text };
  const route = eventsRoute({
    endpoint: async (id) => {
      looked.push(id);
      return id === 'mine' ? mine : undefined;
    },
    recordArrival: async () => {},
    record: async () => ({ result: 'unmatched' }),
    recordUnsigned: async ({ workspace }) => void counted.push(workspace),
    signatureHeaders: ['x-signature'],
    countRefused() {},
    monotonic: () => clock.now,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const refuse = (parameter: string, signature?: string) =>
    route.refuse?.({
      url: `/events/${parameter}`,
      parameter,
      headers: signature === undefined ? {} : { 'x-signature': signature },
    });
  return { refuse, clock, looked, counted };
}

test('an event without a signature is refused by its headers, and counts where its endpoint exists', async () => {
  const { refuse, counted } = setUp();
  expect(refuse('mine')?.status).toBe(401);
  expect(refuse('mine', 'sha256=00')?.status).toBe(401);
  expect(refuse('nobodys')?.status).toBe(401);
  await expect.poll(() => counted).toEqual(['T1', 'T1']);
});

test('a flood of them costs sixty look-ups a minute', () => {
  const { refuse, clock, looked } = setUp();
  for (let i = 0; i < 5_000; i++) refuse(`x${i}`);
  expect(looked).toHaveLength(60);
  clock.now = 60_000;
  refuse('mine');
  expect(looked).toHaveLength(61);
});
