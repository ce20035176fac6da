/** The dependencies of the limit of requests for each person, and what admins are told of people who met it. */
import { RecentRequests } from '../../../src/requests/model/recent.ts';
import type { LimitMet, WithinLimitDeps } from '../../../src/requests/use-cases/requester.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { databaseInMemory } from '../storage/empty-database.ts';

/** @param database that of the requests if a test is about the limit; by default an empty one */
export function limitDeps(
  now: () => number,
  database = databaseInMemory(),
): WithinLimitDeps & { told: LimitMet[] } {
  const told: LimitMet[] = [];
  return {
    recentRequests: createSqliteRecordStore(database, 'recent_requests', RecentRequests, now),
    tellOfLimit: async (met) => void told.push(met),
    told,
  };
}
