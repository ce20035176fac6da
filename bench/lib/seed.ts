/** Fills a storage before a bot starts on it: an installation, a connection, and requests that are under review. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Adapters, openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { SILENT } from '../../src/outbox/ports.ts';
import type { Entry } from '../../src/outbox/record-store.ts';
import { newRecord } from '../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../src/requests/model/record.ts';
import { newReply } from '../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { requestEntry } from '../../src/requests/store/writes.ts';
import { SCOPES } from '../../src/slack/client/access.ts';
import { endpointAddress } from '../../src/workspaces/connection/connection.ts';

export const WORKSPACE = 'T0BENCH';

/** The ids of several workspaces. */
export const workspaces = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${WORKSPACE}${n}`);

const ORDERS = 1_000;

const AT_ONCE = 100;

export type Seeded = {
  /** The last part of the events URL. */
  endpoint: string;
  eventsSecret: string;
  /** The time at which the service took every request, epoch milliseconds. */
  requestedAt: number;
  /** The number of requests, each for an order of its own. */
  orders: number;
};

/** @param env of the bot that will work on this storage */
export function seed(env: Record<string, string>, orders = ORDERS): Promise<Seeded> {
  return withStorage(env, async (adapters) => {
    await install(adapters, WORKSPACE);
    const seeded = { ...(await connect(adapters, WORKSPACE)), requestedAt: Date.now(), orders };
    await fill(adapters, orders, (n) => requestEntry(underReview(n, seeded), TIMINGS));
    return seeded;
  });
}

/** Opens the storage that a bot will work on, and closes it after that. */
export async function withStorage<T>(
  env: Record<string, string>,
  work: (adapters: Adapters) => Promise<T>,
): Promise<T> {
  const adapters = await openAdapters(readConfig(env, false));
  await adapters.storage.open(SILENT);
  try {
    return await work(adapters);
  } finally {
    await adapters.close();
  }
}

/** Stores many requests at once, because writes that wait together are committed together. */
export async function fill(
  { storage }: Adapters,
  count: number,
  entryAt: (n: number) => Entry<RequestRecord>,
): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from);
    const entries = Array.from({ length }, (_, n) => entryAt(from + n));
    await Promise.all(entries.map((entry) => storage.requests.create(entry)));
  }
}

/** Installs the bot. The token names its workspace, which the bench's Slack reads from it (services/slack.ts). */
export function install({ installations }: Adapters, workspace: string): Promise<void> {
  return installations.add({
    id: workspace,
    orgWide: false,
    tokens: { bot: `xoxb-${workspace}-${randomBytes(24).toString('hex')}` },
    scopes: SCOPES,
    botUserId: 'U0COUNTERMAND',
    installedBy: 'U0OLGA',
  });
}

/** Connects a workspace, and sets no limit of requests: a few people make all of the load. */
export async function connect({ connections, settings }: Adapters, workspace: string) {
  const endpoint = randomBytes(16).toString('hex');
  const eventsSecret = randomBytes(32).toString('hex');
  const connection = {
    workspace,
    generation: randomUUID(),
    tokenKind: 'rest' as const,
    exclusive: true,
    token: `order_rest_${randomBytes(12).toString('hex')}`,
    endpoint,
    secret: eventsSecret,
    connectedBy: 'U0OLGA',
    connectedAt: Date.now(),
  };
  await connections.save(connection, undefined);
  await settings.change(workspace, { requestsPerHour: 'unlimited' });
  return { endpoint: endpointAddress({ workspace, endpoint }), eventsSecret };
}

type Place = { requestedAt: number; workspace?: string; channel?: string };

/** A request whose call was answered, and whose messages are posted: nothing is pending until the service decides. */
export function underReview(
  n: number,
  { requestedAt: at, workspace = WORKSPACE, channel = 'C0SUPPORT' }: Place,
): RequestRecord {
  const fresh = newRecord(
    {
      id: `bench${n}`,
      workspace,
      kind: 'cancel_order',
      target: `A-${n}`,
      reason: 'Ordered twice',
      requester: 'U0ANA',
      channel,
    },
    at,
  );
  const location = { channel, ts: `${Math.floor(at / 1_000)}.${`${n}`.padStart(6, '0')}` };
  const answer = { type: 'said', status: 'pending', requestedAt: at } as const;
  const heard = { said: 'pending', requestedAt: at } as const;
  return {
    ...fresh,
    state: 'under_review',
    steps: [
      ...fresh.steps,
      { n: 2, state: 'calling', at, cause: { type: 'call_begun' }, callResult: 'answered', heard },
      {
        n: 3,
        state: 'under_review',
        at,
        cause: { type: 'answer', answer, attempt: 1 },
      },
    ],
    messages: [...fresh.messages, newReply(3, 'thread', at)].map((message) => ({
      ...message,
      ...{ delivery: { status: 'posted', ...location } as const, location },
      ...(message.upkeep && { upkeep: { ...message.upkeep, shown: fresh.revision } }),
    })),
    call: { attempts: 1, notBefore: at },
  };
}
