/** Fills a storage before a bot starts on it: an installation, a connection, and requests that are under review. */

import { randomBytes, randomUUID } from 'node:crypto';
import { type Adapters, openAdapters } from '../../src/compose/adapters.ts';
import { readConfig } from '../../src/config.ts';
import { newRecord } from '../../src/requests/model/changes/new-record.ts';
import { TIMINGS } from '../../src/requests/model/pending-effects.ts';
import type { RequestRecord } from '../../src/requests/model/record.ts';
import { entryOf } from '../../src/requests/store/entry.ts';
import { SCOPES } from '../../src/slack/client/scopes.ts';

export const WORKSPACE = 'T0BENCH';

const ORDERS = 1_000;

const AT_ONCE = 100;

export type Seeded = {
  /** The last part of the events URL. */
  endpoint: string;
  eventsSecret: string;
  /** When the service took every request, epoch milliseconds. */
  requestedAt: number;
  /** How many requests there are, each for an order of its own. */
  orders: number;
};

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** @param env of the bot that will work on this storage */
export async function seed(env: Record<string, string>, orders = ORDERS): Promise<Seeded> {
  const adapters = await openAdapters(readConfig(env, false));
  await adapters.storage.open(SILENT);
  const seeded: Seeded = {
    endpoint: randomBytes(16).toString('hex'),
    eventsSecret: randomBytes(32).toString('hex'),
    requestedAt: Date.now(),
    orders,
  };
  try {
    await install(adapters);
    await connect(adapters, seeded);
    await fill(adapters, seeded);
  } finally {
    await adapters.close();
  }
  return seeded;
}

/** Many at once: what waits together is committed together. */
async function fill({ storage }: Adapters, seeded: Seeded): Promise<void> {
  for (let from = 0; from < seeded.orders; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, seeded.orders - from);
    const entries = Array.from({ length: count }, (_, n) => underReview(from + n, seeded));
    await Promise.all(entries.map(storage.requests.create));
  }
}

function install({ installations }: Adapters): Promise<void> {
  return installations.add({
    id: WORKSPACE,
    orgWide: false,
    tokens: { bot: `xoxb-${randomBytes(24).toString('hex')}` },
    scopes: SCOPES,
    botId: 'B0COUNTERMAND',
    botUserId: 'U0COUNTERMAND',
    installedBy: 'U0OLGA',
  });
}

function connect({ connections }: Adapters, { endpoint, eventsSecret }: Seeded): Promise<void> {
  const connection = {
    workspace: WORKSPACE,
    generation: randomUUID(),
    tokenKind: 'rest' as const,
    exclusive: true,
    token: `order_rest_${randomBytes(12).toString('hex')}`,
    endpoint,
    secret: eventsSecret,
    connectedBy: 'U0OLGA',
    connectedAt: Date.now(),
  };
  return connections.save(connection, undefined);
}

/** A request that was carried out and told of: nothing is owed until the service decides. */
function underReview(n: number, { requestedAt: at }: Seeded) {
  const fresh = newRecord(
    {
      id: `bench${n}`,
      workspace: WORKSPACE,
      kind: 'cancel_order',
      target: `A-${n}`,
      reason: 'Ordered twice',
      requester: 'U0ANA',
      channel: 'C0SUPPORT',
    },
    at,
  );
  const location = { channel: 'C0SUPPORT', ts: `${Math.floor(at / 1_000)}.${`${n}`.padStart(6, '0')}` };
  const answer = { type: 'said', status: 'pending', requestedAt: at } as const;
  const record: RequestRecord = {
    ...fresh,
    state: 'under_review',
    steps: [
      ...fresh.steps,
      { n: 2, state: 'calling', at, cause: { type: 'call_begun' }, callResult: 'answered' },
      {
        n: 3,
        state: 'under_review',
        at,
        cause: { type: 'answer', answer, attempt: 1 },
        reply: { to: 'thread', delivery: { status: 'posted', ...location } },
      },
    ],
    card: { ...fresh.card, delivery: { status: 'posted', ...location }, location, shown: fresh.revision },
    call: { attempts: 1, notBefore: at, requestedAt: at },
  };
  return entryOf(record, TIMINGS);
}
