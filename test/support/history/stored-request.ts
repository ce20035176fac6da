/**
 * The one request of a history: in a store in memory, with a clock of its own, changed as the loop and the use
 * cases change it.
 */
import { posted } from '../../../src/catalogue/examples.ts';
import { unreplicated } from '../../../src/outbox/ports.ts';
import type { Applied } from '../../../src/requests/engine/apply-call.ts';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RecentRequests } from '../../../src/requests/model/recent.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { CARD } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { replaceOrYieldSlot, requestEntry } from '../../../src/requests/store/writes.ts';
import { recordEvent } from '../../../src/requests/use-cases/record-event.ts';
import { POLICY as POLICY_OF_TWO } from '../requests/approval-policy.ts';
import { directoryOf } from '../requests/directory.ts';
import { REQUEST, T0 } from '../requests/records.ts';
import { workspacesWith } from '../requests/workspaces.ts';
import { createMemoryRecords } from '../storage/memory-records.ts';
import { ADMIN, APPROVER, type History } from './histories.ts';

const POLICY: Policy = {
  ...POLICY_OF_TWO,
  approvers: { type: 'people', people: [APPROVER] },
  quorum: 1,
  reminds: false,
  setBy: ADMIN,
};

const directory = directoryOf((id) => ({ isAdmin: id === ADMIN }));

/** Stores in memory: hundreds of histories are played, and opening a database takes longer than playing one. */
function openStores(now: () => number) {
  const recentRequests = createMemoryRecords<RecentRequests>(now);
  const store = createMemoryRecords<RequestRecord>(now, {
    others: {
      versionOf: (type, ref) => (type === 'recent_requests' ? recentRequests.versionOf(ref) : undefined),
      createBeside({ type, entry }) {
        if (type === 'recent_requests') recentRequests.createBeside(entry);
      },
    },
  });
  return { store, recentRequests };
}

export type StoredRequest = ReturnType<typeof openStoredRequest>;

export function openStoredRequest({ kind, needsApproval }: Pick<History, 'kind' | 'needsApproval'>) {
  const clock = { now: T0 };
  const policy = needsApproval ? POLICY : undefined;
  const { store, recentRequests } = openStores(() => clock.now);
  const ref = { workspace: REQUEST.workspace, id: REQUEST.id };
  const deps = {
    store,
    replicated: unreplicated,
    directory,
    workspaces: workspacesWith(policy ? { policies: { [kind]: policy } } : {}),
    timings: TIMINGS,
    wake() {},
    async keepUnmatched() {},
    hasRoom: async () => true,
    recentRequests,
    async tellOfLimit() {},
  };

  async function read(): Promise<RequestRecord> {
    const found = await store.get(ref);
    if (!found) throw new Error('no such record');
    return found.record;
  }

  const receive = (event: ServiceEvent, except?: string) =>
    recordEvent(deps, { workspace: ref.workspace, kind, event }, except);

  return {
    kind,
    ref,
    clock,
    deps,
    read,
    receive,
    /** Creates the request, whose card is posted. */
    async create(): Promise<void> {
      const { now } = clock;
      const record = newRecord({ ...REQUEST, kind }, now, policy && { policy, earlier: [] });
      await store.create(requestEntry(posted(record, CARD, '1.000001', now), TIMINGS));
    },
    /** @returns whether it changed anything */
    async change(alter: (record: RequestRecord) => RequestRecord | undefined): Promise<boolean> {
      const record = await read();
      const altered = alter(record);
      if (!altered || altered === record) return false;
      await replaceOrYieldSlot(deps, record, altered);
      return true;
    },
    /** Applies a result as the loop does: an event that turns out to be about another request is recorded for that one. */
    async apply(alter: (record: RequestRecord) => Applied): Promise<void> {
      const before = await read();
      const { record, unmatched = [] } = alter(before);
      await replaceOrYieldSlot(deps, before, record);
      for (const event of unmatched) await receive(event, ref.id);
    },
  };
}
