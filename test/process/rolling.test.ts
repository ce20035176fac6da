/** Two replicas over one Redis, which are restarted one after the other while agents go on working. */

import { describe, expect, onTestFinished, test } from 'vitest';
import type { BotProcess } from '../../sandbox/lib/bot-process.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import type { Person } from '../../sandbox/slack/people/person.ts';
import { SEED } from '../../sandbox/slack/world/seed/seed.ts';
import { STEP_METADATA } from '../../src/slack/blocks/ids.ts';
import { createRedisClient } from '../../src/storage/redis/connection/connection.ts';
import { recordKeys } from '../../src/storage/redis/keys.ts';
import { redisEnvironment } from '../support/e2e/storage.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { startBalancer } from './support/balancer.ts';
import { openProcessHarness, type ProcessHarness } from './support/harness.ts';

const PREFIX = 'countermand';
const AGENTS = 3;

type Order = { id: string; reviewed: boolean };
type Replica = { port: number; bot: BotProcess };

async function openReplicas() {
  const redis = await startRedisServer();
  onTestFinished(redis.stop);
  const storage = redisEnvironment({ type: 'redis', url: redis.url, prefix: PREFIX });
  const [front, ...ports] = [await freePort(), await freePort(), await freePort()];
  const balancer = await startBalancer(front, ports);
  const harness = await openProcessHarness(front);
  const start = async (port: number): Promise<Replica> => {
    return { port, bot: await harness.start(port, { ...storage, DRAIN_SECONDS: '1' }) };
  };
  const replicas = await Promise.all(ports.map(start));
  return { harness, redis, balancer, replicas, start };
}

/** Orders that somebody wants cancelled, every third of them by way of a review. */
function createOrders({ service }: ProcessHarness) {
  const orders: Order[] = [];
  const waiting: Order[] = [];
  return {
    orders,
    take: () => waiting.shift(),
    come(count: number) {
      for (let n = 0; n < count; n++) {
        const order = { id: `A-${5_000 + orders.length}`, reviewed: orders.length % 3 === 0 };
        service.addOrder(order);
        orders.push(order);
        waiting.push(order);
      }
    },
  };
}

/** Asks for each order that comes, and looks something up in between, until `isOver`. */
async function work(
  harness: ProcessHarness,
  agent: Person,
  take: () => Order | undefined,
  isOver: () => boolean,
) {
  for (;;) {
    const over = isOver();
    const order = take();
    if (!order && over) return;
    if (order) await cancelOrder(agent, order);
    if (order?.reviewed) await approve(harness, order);
    await look(agent);
  }
}

async function cancelOrder(agent: Person, { id }: Order): Promise<void> {
  const { trouble } = await agent.command(`/cancel-order ${id} Ordered twice`, { channel: '#support' });
  expect(trouble).toBeUndefined();
  await agent.waitForModal();
  const submitted = await agent.submit();
  expect([submitted.trouble, submitted.outcome]).toEqual([undefined, 'closed']);
}

async function look(agent: Person): Promise<void> {
  const known = agent.ephemerals().length;
  const { trouble } = await agent.command('/countermand help', { channel: '#support' });
  expect(trouble).toBeUndefined();
  await agent.waitForEphemeral(() => agent.ephemerals().length > known);
}

/** The order service approves it, as soon as it knows of it. */
async function approve({ slack, service }: ProcessHarness, { id }: Order): Promise<void> {
  const isPending = () => service.organization().orders.get(id)?.requests.cancel_order?.status === 'pending';
  await slack.waitUntil(() => isPending() || undefined);
  await service.approve(id).settled;
}

/** Resolves once no request has pending effects. */
async function atRest(url: string): Promise<void> {
  const client = createRedisClient({ url });
  await client.connect();
  onTestFinished(() => client.destroy());
  await expect.poll(() => client.zCard(recordKeys(PREFIX, 'requests').waiting)).toBe(0);
}

/**
 * Returns for each order the number of its cards and the replies in their threads, in order. Without that
 * of a review: its outcome may be known before the answer to the call is.
 */
function saidByOrder({ slack }: ProcessHarness): Record<string, { cards: number; replies: string[] }> {
  const said = new Map<string, { cards: number; replies: string[] }>();
  for (const { metadata, text } of slack.messages('#support')) {
    const order = /A-\d{4}/.exec(text)?.[0];
    if (metadata?.event_type !== STEP_METADATA || !order || /is reviewing it/.test(text)) continue;
    const { cards, replies } = said.get(order) ?? { cards: 0, replies: [] };
    const isCard = metadata.event_payload['message'] === 'card';
    said.set(order, isCard ? { cards: cards + 1, replies } : { cards, replies: [...replies, text] });
  }
  return Object.fromEntries(said);
}

const onceSaid = ({ id }: Order) => {
  return { cards: 1, replies: [expect.stringMatching(new RegExp(`Order ${id} is cancelled`))] };
};

describe('a rolling restart', () => {
  needsRedis(true);

  test('of two replicas, while agents work, is seen by nobody, and nothing is lost or doubled', async () => {
    const { harness, redis, balancer, replicas, start } = await openReplicas();
    await harness.connect();
    const { orders, come, take } = createOrders(harness);
    let over = false;
    const agents = hire(harness);
    const working = Promise.all(agents.map((agent) => work(harness, agent, take, () => over)));
    // It is awaited below.
    working.catch(() => {});

    const ends = [];
    for (const { port, bot } of replicas) {
      come(8);
      ends.push(await bot.kill('SIGTERM'));
      come(7);
      const before = balancer.answered.get(port) ?? 0;
      await start(port);
      await expect.poll(() => balancer.answered.get(port)).toBeGreaterThan(before);
    }
    over = true;
    await working;
    await atRest(redis.url);

    expect(ends).toEqual([0, 0]);
    const expected = orders.map((order) => [order.id, onceSaid(order)]);
    expect(saidByOrder(harness)).toEqual(Object.fromEntries(expected));
    for (const { id } of orders) expect(harness.service.calls({ orderId: id })).toHaveLength(1);
    const ephemerals = agents.flatMap((agent) => agent.ephemerals()).map(({ text }) => text);
    expect(ephemerals.filter((text) => /went wrong/.test(text))).toEqual([]);
  });
});

/** Agents of their own, in #support. */
function hire({ slack }: ProcessHarness): Person[] {
  return Array.from({ length: AGENTS }, (_, n) => {
    const { id } = slack.admin.addUser({ team_id: SEED.team, name: `agent-${n}` });
    slack.admin.invite(SEED.channels.support, id);
    return slack.person(id);
  });
}
