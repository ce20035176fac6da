/** The storage as one replica meets it: shared by all, and each operation may fail, wait, or lose its answer. */

import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { WorkspaceNotification } from '../../../src/requests/model/workspace-notification.ts';
import type { RateLimiter } from '../../../src/requests/ports/rate-limiter.ts';
import type { Entry } from '../../../src/requests/ports/record-store.ts';
import type { Runtime } from '../../../src/requests/ports/runtime.ts';
import { createLocks, type LockTable } from '../../../src/storage/locks.ts';
import { createParseOnce } from '../../../src/storage/parse-once.ts';
import { createRateLimiter } from '../../../src/storage/rate-limiter.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { UninstallRecord } from '../../../src/workspaces/installation/uninstall-record.ts';
import { amountOf } from '../draw/fates.ts';
import { createMemoryIndex, type Members } from '../storage/memory-index.ts';
import { type Cells, openMemoryKeyv } from '../storage/memory-keyv.ts';
import { createMemoryLockTable } from '../storage/memory-locks.ts';
import { createMemoryRecords, type MemoryRecords } from '../storage/memory-records.ts';
import { arrived, type Machine, setOut } from './machine.ts';

/** The stored data, which all replicas share. */
export type Stored = {
  requests: MemoryRecords<RequestRecord>;
  workspaceNotifications: MemoryRecords<WorkspaceNotification>;
  uninstalls: MemoryRecords<UninstallRecord>;
  cells: Cells;
  /** By namespace. */
  members: Map<string, Members>;
  limiter: RateLimiter;
  locks: LockTable;
  now: () => number;
};

type OnWrite = (entry: Entry<RequestRecord>, all: Iterable<Entry<RequestRecord>>) => void;

/** @param now epoch milliseconds by the clock of the storage */
export function createStored(now: () => number, onWrite: OnWrite): Stored {
  const requests: Stored['requests'] = createMemoryRecords(now, (entry) =>
    onWrite(entry, requests.entries()),
  );
  return {
    requests,
    workspaceNotifications: createMemoryRecords(now),
    uninstalls: createMemoryRecords(now),
    cells: new Map(),
    members: new Map(),
    limiter: createRateLimiter(now),
    locks: createMemoryLockTable(now),
    now,
  };
}

/** @param moment epoch milliseconds */
export function isDueBefore(
  { requests, workspaceNotifications, uninstalls }: Stored,
  moment: number,
): boolean {
  for (const records of [requests, workspaceNotifications, uninstalls])
    for (const { dueAt } of records.entries()) if (dueAt !== undefined && dueAt < moment) return true;
  return false;
}

/** As long as the real storages wait for an answer (src/storage/redis/connection/connection.ts). */
const GIVEN_UP_MS = 1_500;
/** How late a storage that was stalled may do what nobody waits for any more. */
const LONGEST_LATE_MS = 5_000;

class StorageAwayError extends Error {
  constructor() {
    super('The storage did not answer.');
  }
}

/** Does operations of one replica on what is stored, over one connection: what is stalled holds up what comes after it. */
function operating(machine: Machine) {
  const { timeline, life } = machine;
  let stalledUntil = 0;
  return <T>(name: string, act: () => T | Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { fate, there, back } = setOut(machine, 'storage', name);
    if (!life.isAlive()) return promise;
    const giveUp = () => timeline.after(GIVEN_UP_MS, () => life.enter(() => reject(new StorageAwayError())));
    const perform = () => {
      const done = act();
      arrived(machine, fate);
      const ms = fate === 'answer late' ? GIVEN_UP_MS - 100 : back;
      if (fate !== 'answer lost') timeline.after(ms, () => life.enter(() => resolve(done)));
    };
    if (fate === 'refused') {
      timeline.after(there, () => life.enter(() => reject(new StorageAwayError())));
      return promise;
    }
    const stalledMs = /^(late|\+)/.test(fate) ? Math.min(amountOf(fate), LONGEST_LATE_MS) : 0;
    stalledUntil = Math.max(stalledUntil, timeline.now() + stalledMs);
    const delay = Math.max(there, stalledUntil - timeline.now());
    // Given up, and done all the same: a command that waited in a socket.
    if (fate === 'answer lost' || fate === 'lost' || delay >= GIVEN_UP_MS) giveUp();
    if (fate === 'lost') return promise;
    if (fate.includes('freeze before')) life.enter(() => timeline.after(delay, perform));
    else timeline.after(delay, perform);
    return promise;
  };
}

type Operations = ReturnType<typeof operating>;

/** The same functions, each an operation; `quiet`: those that give nothing to choose where they find nothing. */
function operated<T extends object>(target: T, name: string, operate: Operations): T {
  const wrapped = Object.entries(target).map(([key, method]) => [
    key,
    (...given: unknown[]) => operate(`${name}.${key}`, () => method(...given)),
  ]);
  return Object.fromEntries(wrapped) as T;
}

export function openSimulatedStorage(machine: Machine, stored: Stored, runtime: Runtime): Storage {
  const operate = operating(machine);
  const parseOnce = createParseOnce();
  const keyv = (namespace: string) => parseOnce(openMemoryKeyv(stored.cells, namespace, stored.now, operate));
  return {
    requests: operated(stored.requests, 'requests', operate),
    workspaceNotifications: operated(stored.workspaceNotifications, 'workspaceNotifications', operate),
    uninstalls: operated(stored.uninstalls, 'uninstalls', operate),
    replicated: (work) => work(),
    limiter: operated(stored.limiter, 'limiter', operate),
    locks: createLocks(operated(stored.locks, 'locks', operate), runtime),
    keyv,
    indexed: (namespace) => {
      const members = stored.members.get(namespace) ?? new Map();
      stored.members.set(namespace, members);
      return {
        values: keyv(namespace),
        index: operated(createMemoryIndex(members), `index ${namespace}`, operate),
      };
    },
    open: async () => {},
    claim() {},
    ping: async () => {},
    scrub: async () => {},
    close: async () => {},
  };
}
