/** Connects one replica to the shared storage. Each operation may fail, be late, or lose its answer. */
import { type Replicated, unreplicated } from '../../../src/outbox/ports.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createStorageVersion, SCHEMA_VERSION } from '../../../src/storage/storage-version.ts';
import { USUAL } from '../draw/choices.ts';
import { amountOf } from '../draw/faults.ts';
import { openMemoryKeyv } from '../storage/memory-keyv.ts';
import type { Stored } from '../storage/stored.ts';
import { injectAfter, injectBefore, type Machine } from './machine.ts';

/** The time-out of a command, as in src/storage/redis/connection/connection.ts. */
const TIMEOUT_MS = 1_500;

class StorageUnavailableError extends Error {
  constructor() {
    super('The storage did not answer.');
  }
}

/** Operations that write, which SQLite commits together. */
const WRITES = /(\.(create|update|remove|removeSome|postpone|take)|^(set|delete|clear) )/;

/** Commits the writes of one turn together. If the commit fails, none of them stands. */
function createCommits({ scheduler, choices, spans, storage, trace }: Machine, stored: Stored) {
  let waiting: { run: () => void; fail: () => void }[] = [];
  function flush(): void {
    const together = waiting;
    waiting = [];
    const rate = storage.mayFail ? storage.failingCommits : 0;
    const fault = choices.take('commit', [['commit fails', rate]]);
    const restore = fault === USUAL ? undefined : stored.snapshot();
    for (const { run } of together) run();
    if (!restore) return;
    trace.note(`${scheduler.now()} a commit fails`);
    spans.fault(fault, 'storage', { about: undefined });
    restore();
    for (const { fail } of together) fail();
  }
  return (run: () => void, fail: () => void): void => {
    if (waiting.length === 0) scheduler.after(0, flush);
    waiting.push({ run, fail });
  };
}

/**
 * Simulates one connection to the storage.
 *
 * @returns a function that runs an operation under a name; a stalled operation delays those after it
 */
function openConnection(machine: Machine, stored: Stored) {
  const { scheduler, process, storage } = machine;
  let stalledUntil = 0;
  const commit = createCommits(machine, stored);
  return <T>(name: string, run: () => T | Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { fault, requestMs, responseMs } = injectBefore(machine, 'storage', name);
    if (!process.isAlive()) return promise;
    const refuse = () => process.enter(() => reject(new StorageUnavailableError()));
    const giveUp = () => scheduler.after(TIMEOUT_MS, refuse);
    const answer = (done: T | Promise<T>) => {
      const ms = fault === 'answer late' ? TIMEOUT_MS - 100 : responseMs;
      if (fault !== 'answer lost') scheduler.after(ms, () => process.enter(() => resolve(done)));
    };
    const act = () => {
      const done = run();
      injectAfter(machine, fault);
      return done;
    };
    const begun = storage.failOvers();
    const perform = () => {
      // The connection was to the server that is gone.
      if (storage.failOvers() !== begun) return refuse();
      if (storage.failingCommits === 0 || !WRITES.test(name)) return answer(act());
      let hasFailed = false;
      commit(
        () => {
          const done = act();
          queueMicrotask(() => !hasFailed && answer(done));
        },
        () => {
          hasFailed = true;
          refuse();
        },
      );
    };
    if (fault === 'refused') {
      scheduler.after(requestMs, refuse);
      return promise;
    }
    const stalledMs = /^(late|\+)/.test(fault) ? Math.min(amountOf(fault), storage.longestStallMs) : 0;
    stalledUntil = Math.max(stalledUntil, scheduler.now() + stalledMs);
    const delay = Math.max(requestMs, stalledUntil - scheduler.now());
    // A command that waited in a socket times out, and is executed later all the same.
    if (fault === 'answer lost' || fault === 'lost' || delay >= TIMEOUT_MS) giveUp();
    if (fault === 'lost') return promise;
    if (fault.includes('freeze before')) process.enter(() => scheduler.after(delay, perform));
    else scheduler.after(delay, perform);
    return promise;
  };
}

type Operate = ReturnType<typeof openConnection>;

/** @param detailOf names what an operation is about, by its first argument */
function wrapMethods<T extends object>(
  target: T,
  name: string,
  operate: Operate,
  detailOf: (first: unknown) => string = () => '',
): T {
  const wrapped = Object.entries(target).map(([key, method]) => [
    key,
    (...args: unknown[]) => operate(`${name}.${key}${detailOf(args[0])}`, () => method(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}

/** The id of a record, from a reference to it or an entry of it. */
const idIn = (given: unknown): string | undefined =>
  typeof given === 'object' && given !== null
    ? ((given as { id?: string }).id ?? (given as { record?: { id: string } }).record?.id)
    : undefined;

export function openSimulatedStorage(machine: Machine, stored: Stored): Storage {
  const operate = openConnection(machine, stored);
  const replicated: Replicated = async (work) => {
    const before = machine.storage.failOvers();
    const result = await work();
    await operate('replicated', machine.storage.confirm);
    // src/storage/redis/replicated.ts fails here, too, since it then has another connection.
    if (machine.storage.failOvers() !== before) throw new StorageUnavailableError();
    return result;
  };
  const requestOf = (given: unknown) => {
    const id = idIn(given);
    return id === undefined ? '' : ` ${machine.witness.nameOf(id)}`;
  };
  return {
    requests: wrapMethods(stored.requests, 'requests', operate, requestOf),
    notices: wrapMethods(stored.notices, 'notices', operate),
    uninstalls: wrapMethods(stored.uninstalls, 'uninstalls', operate),
    settings: wrapMethods(stored.settings, 'settings', operate),
    unsignedEvents: wrapMethods(stored.unsignedEvents, 'unsignedEvents', operate),
    recentRequests: wrapMethods(stored.recentRequests, 'recentRequests', operate),
    connections: wrapMethods(stored.connections, 'connections', operate),
    tokens: wrapMethods(stored.tokens, 'tokens', operate),
    auditEntries: wrapMethods(stored.auditEntries, 'auditEntries', operate),
    installations: wrapMethods(stored.installations, 'installations', operate),
    organizations: wrapMethods(stored.organizations, 'organizations', operate),
    usedStates: wrapMethods(stored.usedStates, 'usedStates', operate),
    tasks: wrapMethods(stored.tasks, 'tasks', operate),
    replicated: machine.storage.isReplicated ? replicated : unreplicated,
    limiter: wrapMethods(stored.limiter, 'limiter', operate),
    keyv: (namespace) => openMemoryKeyv(stored.cells, namespace, operate),
    version: createStorageVersion(
      'the storage',
      async () => SCHEMA_VERSION,
      async () => {},
    ),
    open: async () => {},
    lock() {},
    ping: async () => {},
    scrub: async () => {},
    close: async () => {},
  };
}
