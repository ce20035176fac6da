/** One replica: the real bot (src/compose/bot.ts) without its server, on simulated time, storage and networks. */
import { createSecretKey } from 'node:crypto';
import { type Bot, createBot } from '../../src/compose/bot.ts';
import { readConfig } from '../../src/config.ts';
import type { Kind } from '../../src/requests/model/kinds.ts';
import { TIMINGS, type Timings } from '../../src/requests/model/pending-effects.ts';
import type { Log } from '../../src/requests/ports/ports.ts';
import type { RecordStore, Stored as StoredRecord } from '../../src/requests/ports/record-store.ts';
import { UNINSTALL_TIMINGS } from '../../src/workspaces/installation/uninstall.ts';
import { createLife, type Life } from './life.ts';
import { lightClient } from './ports/light-client.ts';
import type { Machine } from './ports/machine.ts';
import { simulatedOrderService } from './ports/order-service.ts';
import { SWEEP_MS, simulatedRuntime } from './ports/runtime.ts';
import { simulatedSlack } from './ports/slack.ts';
import { isDueBefore, openSimulatedStorage, type Stored } from './ports/storage.ts';
import type { Witness } from './witness.ts';
import type { Subscription } from './world/announcements.ts';
import type { ServiceSide } from './world/service-side.ts';
import type { SlackSide, Team } from './world/slack-side.ts';

const MINUTE_MS = 60_000;

export const PUBLIC_URL = 'https://countermand.test/';

const CONFIG = readConfig(
  {
    PUBLIC_URL,
    SLACK_SIGNING_SECRET: 'signing-secret',
    SLACK_CLIENT_ID: 'client',
    SLACK_CLIENT_SECRET: 'client-secret',
    SLACK_STATE_SECRET: 'state-secret-of-thirty-two-letters',
    SLACK_API_URL: 'https://slack.test/api/',
    ORDER_SERVICE_URL: 'https://service.test/',
    STORAGE_URL: 'sqlite::memory:',
  },
  false,
);

const KEYS = [{ id: 'one', key: createSecretKey(Buffer.alloc(32, 1)) }] as const;

/** A day of patience is more than a play has. */
const LEAVING = { ...UNINSTALL_TIMINGS, revokeForMs: 10 * MINUTE_MS, graceMs: 10 * MINUTE_MS };
const NEVER_MS = 365 * 24 * 60 * MINUTE_MS;
const NEVER = { firstMs: NEVER_MS, everyMs: NEVER_MS, lockMs: MINUTE_MS };

/** Everything that all replicas share. */
export type World = Omit<Machine, 'life' | 'crash'> & {
  stored: Stored;
  slack: SlackSide;
  service: ServiceSide;
  witness: Witness;
  log: Log;
  /** Lines of the log, made when somebody reads them. */
  logLines: (() => string)[];
  timings?: Timings;
  nextNumber: () => number;
  /** The subscriptions of each team to the service's events. */
  subscriptions: Map<Team, Subscription>;
  /** The events that the service has announced, and whether the bot has said that it has them. */
  told: { team: Team; order: string; status: string; isTaken: boolean }[];
  /** Messages that people have deleted, by channel and ts. */
  deleted: Set<string>;
  reinstalled: Set<Team>;
  /** The workspaces of whose uninstall no report was taken. */
  unheard: Set<string>;
  /** The people who may no longer approve, and since when; epoch milliseconds. */
  lostRights: Map<string, number>;
  /** `heardAt`: when the bot has taken what Slack told of it, epoch milliseconds. `moment`: as Slack tells it. */
  reactions: { about: string; added: boolean; moment: number; at: number; heardAt?: number }[];
  /** The settings that the bot reported as saved. */
  savedPolicies: { team: Team; kind: Kind; expiresAfterMs: number }[];
  /** The token that an admin has connected each team with last. */
  connected: Map<Team, string>;
  /** How far the wall clocks of the replicas are ahead, milliseconds. */
  skews: number[];
};

export type Replica = {
  name: string;
  life(): Life;
  bot(): Bot;
  /** Brings it back at once where it is down. */
  revive(): void;
};

const DOWN_MS = 4_000;

export function startReplica(world: World, index: number): Replica {
  const name = `r${index + 1}`;
  const { timeline } = world;
  let current = begin();

  function begin(): { life: Life; bot: Bot } {
    const life = createLife(name, timeline);
    const machine: Machine = { ...world, life, crash: () => crash(life) };
    const bot = createSimulatedBot(world, machine, () => world.skews[index] ?? 0);
    for (const each of bot.background.running) each.start();
    return { life, bot };
  }

  function crash(life: Life): void {
    life.end();
    timeline.after(DOWN_MS, revive);
  }

  function revive(): void {
    if (!current.life.isAlive()) current = begin();
  }

  return { name, life: () => current.life, bot: () => current.bot, revive };
}

function createSimulatedBot(world: World, machine: Machine, skew: () => number): Bot {
  const { stored, slack, service, witness, log, nextNumber } = world;
  const isAnythingDue = () => isDueBefore(stored, stored.now() + 1);
  const runtime = simulatedRuntime(machine, { skew, nextNumber, isAnythingDue });
  const storage = openSimulatedStorage(machine, stored, runtime);
  const requests = watched(storage.requests, witness.claiming);
  const workspaceNotifications = watched(storage.workspaceNotifications, witness.claimingNotice);
  return createBot(
    CONFIG,
    log,
    new AbortController().signal,
    {
      timings: world.timings ?? TIMINGS,
      uninstallTimings: LEAVING,
      runner: { sweepMs: SWEEP_MS },
      retention: NEVER,
      missedUninstalls: NEVER,
      requests: () => requests,
    },
    {
      runtime,
      openStorage: () => ({
        storage: { ...storage, workspaceNotifications },
        queues: undefined,
        keys: [...KEYS],
      }),
      connectSlack: () => ({
        send: simulatedSlack(machine, slack, witness),
        client: lightClient,
        close: async () => {},
      }),
      connectOrderService: () => simulatedOrderService(machine, service, witness),
    },
  );
}

/** The same store, whose owner tells of each record before it is written. */
function watched<R extends StoredRecord>(
  store: RecordStore<R>,
  onUpdate: (record: R) => void,
): RecordStore<R> {
  return {
    ...store,
    update(entry, expected) {
      onUpdate(entry.record);
      return store.update(entry, expected);
    },
  };
}
