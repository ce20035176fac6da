/** Counts what the writes of requests change, and times the operations of their store. */
import { createCache } from '../cache.ts';
import { type Entry, nameOfRecord } from '../outbox/record-store.ts';
import { BUTTON, lastEntry } from '../requests/model/approvals/votes.ts';
import type { RequestRecord } from '../requests/model/record.ts';
import { STATES } from '../requests/model/states.ts';
import type { RequestStore } from '../requests/ports/ports.ts';
import type { Definitions } from './definitions.ts';

/** The parts of a request that have been counted: its steps, the entries of its voting history, and a decision of the round. */
type Counted = { steps: number; entries: number; decided: boolean };

/** The requests remembered. Each is read before it is written: a write adds what the last read did not have. */
const REMEMBERED = 10_000;

const countedOf = ({ steps, approval }: RequestRecord): Counted => ({
  steps: steps.at(-1)?.n ?? 0,
  entries: approval ? lastEntry(approval) : 0,
  decided: approval?.decision !== undefined,
});

export function observeRequests(
  store: RequestStore,
  metrics: Definitions,
  monotonic: () => number,
): RequestStore {
  const counted = createCache<Counted>(REMEMBERED);
  const remember = (record: RequestRecord): void => void counted.set(nameOfRecord(record), countedOf(record));

  async function timed<T>(operation: string, run: () => Promise<T>): Promise<T> {
    const began = monotonic();
    try {
      return await run();
    } catch (error) {
      metrics.storageFailures.inc({ operation });
      throw error;
    } finally {
      metrics.storageSeconds.observe({ operation }, (monotonic() - began) / 1_000);
    }
  }

  function countWrite({ record }: Entry<RequestRecord>): void {
    const before = counted.get(nameOfRecord(record)) ?? countedOf(record);
    countSteps(metrics, record, before);
    countVotes(metrics, record, before);
    remember(record);
  }

  return {
    ...store,
    async create(entry, ...rest) {
      const creation = await timed('create', () => store.create(entry, ...rest));
      if (creation.type !== 'created') return creation;
      const { workspace, kind } = entry.record;
      metrics.requests.inc({ kind, ...metrics.labelsOf(workspace) });
      counted.set(nameOfRecord(entry.record), { steps: 0, entries: 0, decided: false });
      countWrite(entry);
      return creation;
    },
    async update(entry, ...rest) {
      const updated = await timed('update', () => store.update(entry, ...rest));
      if (updated.type === 'updated') countWrite(entry);
      return updated;
    },
    async get(ref) {
      const found = await timed('get', () => store.get(ref));
      if (found) remember(found.record);
      return found;
    },
    async listBySubject(...given) {
      const found = await timed('list', () => store.listBySubject(...given));
      found.records.forEach(remember);
      return found;
    },
    async list(...given) {
      const found = await timed('list', () => store.list(...given));
      found.forEach(remember);
      return found;
    },
  };
}

function countSteps(metrics: Definitions, record: RequestRecord, { steps }: Counted): void {
  const { kind, workspace, createdAt } = record;
  for (const { n, state, at } of record.steps) {
    if (n <= steps) continue;
    metrics.steps.inc({ kind, state, ...metrics.labelsOf(workspace) });
    if (!STATES[state].slot) metrics.outcomeSeconds.observe({ kind, state }, (at - createdAt) / 1_000);
  }
}

function countVotes(
  metrics: Definitions,
  { kind, approval }: RequestRecord,
  { entries, decided }: Counted,
): void {
  if (!approval) return;
  for (const { n, type, source, problem } of approval.history) {
    if (n <= entries) continue;
    metrics.votes.inc({ way: source === BUTTON ? 'button' : 'reaction', type });
    if (problem !== undefined) metrics.refusedVotes.inc({ reason: problem });
  }
  const { decision, since } = approval;
  if (decision && !decided)
    metrics.decisionSeconds.observe({ kind, choice: decision.choice }, (decision.at - since) / 1_000);
}
