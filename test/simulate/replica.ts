/** Runs one replica: the real bot (src/compose/bot.ts) without its server, on simulated time, storage and networks. */
import { createSecretKey } from 'node:crypto';
import { type Bot, createBot } from '../../src/compose/bot.ts';
import { readConfig } from '../../src/config.ts';
import type { RecordStore, Stored as StoredRecord } from '../../src/outbox/record-store.ts';
import { TIMINGS } from '../../src/requests/model/timings.ts';
import { createCipher } from '../../src/workspaces/cipher.ts';
import type { InstallationRecord } from '../../src/workspaces/installation/installation-record.ts';
import { UNINSTALL_TIMINGS } from '../../src/workspaces/installation/uninstall-record.ts';
import { lightClient } from './ports/light-client.ts';
import type { Machine } from './ports/machine.ts';
import { simulatedOrderService } from './ports/order-service.ts';
import { SWEEP_MS, simulatedRuntime } from './ports/runtime.ts';
import { simulatedSlack } from './ports/slack.ts';
import { openSimulatedStorage } from './ports/storage.ts';
import { createSimulatedProcess, type SimulatedProcess } from './simulated-process.ts';
import { DOWN_MS } from './spans.ts';
import { isDueBefore } from './storage/stored.ts';
import type { World } from './world/world.ts';

const MINUTE_MS = 60_000;

const PUBLIC_URL = 'https://countermand.test/';

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
    RETENTION_DAYS: '30',
  },
  false,
);

const KEYS = [{ id: 'one', key: createSecretKey(Buffer.alloc(32, 1)) }] as const;
const CIPHER = createCipher(KEYS);

/** The bot token of an installation; undefined: nothing is installed. */
export const botTokenIn = ({ workspace, installed }: InstallationRecord): string | undefined =>
  installed && JSON.parse(CIPHER.open({ workspace, purpose: 'Slack tokens' }, installed.sealed)).bot;

/** Shorter than the day that an uninstall may take in production: a play does not last as long. */
const UNINSTALL = { ...UNINSTALL_TIMINGS, revokeForMs: 10 * MINUTE_MS, graceMs: 10 * MINUTE_MS };
const NEVER_MS = 365 * 24 * 60 * MINUTE_MS;
/** Rare checks of paused tokens: every half minute of a month would take too long. */
const RARELY = { firstMs: 10_000, everyMs: 60 * MINUTE_MS, claimMs: 5 * MINUTE_MS };
const NEVER = { firstMs: NEVER_MS, everyMs: NEVER_MS, claimMs: MINUTE_MS };

/** The interval at which a process that stops looks whether it is idle. */
const LOOK_MS = 100;
/** The time that a process manager waits for a process to end. */
const KILLED_AFTER_MS = 30_000;

const UNTIL_KILLED = new Promise<never>(() => {});

export type Replica = {
  name: string;
  process(): SimulatedProcess;
  bot(): Bot;
  /** Starts a new process, at once, if the last one has crashed. */
  restart(): void;
  /** Stops the process as an operator does: it finishes its work, and another one starts. @param then called once it has ended */
  stop(then?: () => void): void;
  /** Whether the balancer sends nothing any more, because the process stops. */
  isStopping(): boolean;
  /** Handles a delivery. A stop waits for its end. */
  handle<T>(work: () => Promise<T>): Promise<T>;
};

export function startReplica(world: World, index: number): Replica {
  const name = `r${index + 1}`;
  const { scheduler } = world;
  /** Deliveries under way in the current process. */
  let handling = 0;
  let current = start();

  function start(): { process: SimulatedProcess; bot: Bot; stopping: AbortController } {
    handling = 0;
    const process = createSimulatedProcess(name, scheduler);
    const machine: Machine = { ...world, process, crash: () => crash(process) };
    const stopping = new AbortController();
    const bot = createSimulatedBot(world, machine, () => world.skews[index] ?? 0, stopping.signal);
    for (const each of bot.background.running) each.start();
    return { process, bot, stopping };
  }

  /** Stops the process as src/app.ts does. A process that does not end in time is killed. */
  function stop(then = () => {}): void {
    const { process, bot, stopping } = current;
    if (!process.isAlive() || stopping.signal.aborted) {
      then();
      return;
    }
    world.spans.begin('stopped', undefined);
    const end = () => {
      if (process.isAlive()) crash(process);
      cancel();
      scheduler.after(DOWN_MS, () => world.spans.end('stopped', undefined));
      then();
    };
    const endOnceIdle = () => {
      if (handling === 0) end();
      else scheduler.after(LOOK_MS, endOnceIdle);
    };
    const kill = () => {
      world.spans.begin('killed', undefined);
      end();
      world.spans.end('killed', undefined);
    };
    const cancel = scheduler.after(KILLED_AFTER_MS, kill);
    process.enter(() => {
      stopping.abort();
      void Promise.all(bot.background.running.map((each) => each.stop()))
        .then(() => bot.context.slack.stop(UNTIL_KILLED))
        .then(endOnceIdle);
    });
  }

  function crash(process: SimulatedProcess): void {
    process.end();
    scheduler.after(DOWN_MS, restart);
  }

  function restart(): void {
    if (!current.process.isAlive()) current = start();
  }

  async function handle<T>(work: () => Promise<T>): Promise<T> {
    const { process } = current;
    handling += 1;
    try {
      return await work();
    } finally {
      if (process === current.process) handling -= 1;
    }
  }

  return {
    name,
    handle,
    process: () => current.process,
    bot: () => current.bot,
    restart,
    stop,
    isStopping: () => current.stopping.signal.aborted,
  };
}

function createSimulatedBot(world: World, machine: Machine, skew: () => number, stopping: AbortSignal): Bot {
  const { stored, slack, service, witness, log, nextNumber } = world;
  const nextSweepMs = () => {
    if (isDueBefore(stored, stored.now() + 1)) return 0;
    return world.isResting ? 60 * MINUTE_MS : SWEEP_MS;
  };
  const runtime = simulatedRuntime(machine, { skew, nextNumber, nextSweepMs });
  const storage = openSimulatedStorage(machine, stored);
  const requests = observed(storage.requests, witness.onClaim);
  const notices = observed(storage.notices, witness.onNoticeClaim);
  return createBot(
    CONFIG,
    log,
    stopping,
    {
      timings: TIMINGS,
      uninstallTimings: UNINSTALL,
      runner: { sweepMs: SWEEP_MS },
      ...(world.goesOn ? { pausedTokens: RARELY } : { retention: NEVER, missedUninstalls: NEVER }),
    },
    {
      runtime,
      openStorage: () => ({
        storage: { ...storage, requests, notices },
        queues: undefined,
        keys: [...KEYS],
      }),
      connectSlack: () => ({
        send: simulatedSlack(machine, slack, witness),
        client: lightClient,
        close: async () => {},
      }),
      connectOrderService: () => simulatedOrderService(machine, service, witness),
      openAuditStream: () => ({ write: async () => {} }),
    },
  );
}

/** Wraps a store: calls `onUpdate` with each record before it is written. */
function observed<R extends StoredRecord>(
  store: RecordStore<R>,
  onUpdate: (record: R) => void,
): RecordStore<R> {
  return {
    ...store,
    update(entry, ...rest) {
      onUpdate(entry.record);
      return store.update(entry, ...rest);
    },
  };
}
