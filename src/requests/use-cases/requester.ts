/**
 * Decides whether a person can create requests, and how many more. A request is counted in the person's record before it is
 * written, and its write is conditional on that record: however many forms of one person arrive at once, on however many
 * replicas, no request is written that is not counted.
 */
import { byId, type Condition, listById, writeRecord } from '../../outbox/record-store.ts';
import type { Kind } from '../model/kinds.ts';
import type { Policy } from '../model/policy.ts';
import {
  isOutdated,
  limitOf,
  nothingMade,
  type Usage,
  usageOf,
  withoutRequest,
  withRequest,
} from '../model/recent.ts';
import type { Pause, Settings } from '../model/settings.ts';
import type { Directory, RecentRequestsStore, Workspaces } from '../ports/ports.ts';
import { quorumProblem } from './approvals/approvers.ts';
import { type NotAllowed, outsideOfGroup, personProblem } from './who-may.ts';

/** Reasons why a person can't create any request. */
export type Barrier =
  | NotAllowed
  | { type: 'not_connected' | 'token_refused' }
  /** Slack does not let the bot post messages, so there would be no card. */
  | { type: 'no_posting' }
  /** An admin has paused sending. */
  | { type: 'paused'; pause: Pause }
  /** Too few approvers remain, because the requester's own vote does not count. */
  | { type: 'too_few_approvers'; policy: Policy };

type Requester = {
  workspace: string;
  requester: string;
  settings: Settings;
  /** The kind of request that they want to make: then a pause and the approvers are checked, too. */
  kind?: Kind;
};

/** @returns what keeps this person from creating a request; undefined: nothing does */
export async function checkRequester(
  { directory, workspaces }: { directory: Directory; workspaces: Workspaces },
  { workspace, requester, settings, kind }: Requester,
): Promise<Barrier | undefined> {
  const policy = kind && settings.policies?.[kind];
  const [person, outside, connection, mayPost, ofApprovers] = await Promise.all([
    directory.person(workspace, requester),
    outsideOfGroup(directory, { workspace, requester, settings }),
    workspaces.connection(workspace),
    directory.mayPost(workspace),
    policy && quorumProblem(directory, workspace, policy, [requester]),
  ]);
  const problem = personProblem(person);
  if (problem) return { type: 'not_allowed', problem };
  if (outside) return outside;
  if (!mayPost) return { type: 'no_posting' };
  const paused = kind && pausedBarrier(settings);
  if (paused) return paused;
  if (connection !== 'connected') return { type: connection };
  return policy && ofApprovers === 'too_few' ? { type: 'too_few_approvers', policy } : undefined;
}

/** The pause that keeps everybody from making requests; undefined: sending is not paused. */
export const pausedBarrier = ({ paused }: Settings): Barrier | undefined =>
  paused && { type: 'paused', pause: paused };

/**
 * Reads the number of requests of a person within the last hour.
 *
 * @returns undefined if there is no limit
 */
export async function usageBy(
  { recentRequests }: Pick<WithinLimitDeps, 'recentRequests'>,
  { workspace, requester, settings }: Omit<Requester, 'kind'>,
): Promise<Usage | undefined> {
  const limit = limitOf(settings);
  if (limit === undefined) return undefined;
  const found = await recentRequests.get({ workspace, id: requester });
  return found ? usageOf(found.record, limit, found.now) : { made: 0, limit };
}

export type WithinLimitDeps = {
  recentRequests: RecentRequestsStore;
  /** Tells the admins, once for each `toldAt`. It never throws: what the person does matters more. */
  tellOfLimit: (met: LimitMet) => Promise<void>;
};

/** A person has made as many requests within an hour as they may. `toldAt`: begins the hour in which admins hear of it. */
export type LimitMet = { workspace: string; person: string; usage: Usage; toldAt: number };

/**
 * `limit`: the number of requests within an hour. `key`: identifies the form or the click, which counts once. `provided`: holds
 * until the request is written. As long as it holds, the count of a form or click that led to nothing can be taken back.
 */
type Making = { workspace: string; person: string; limit: number; key: string; provided: Condition };

/** The result of a try. `refused`: nothing was written. `unmet`: a condition of the write did not hold. */
export type Made<T> = { type: 'written' | 'refused'; result: T } | { type: 'unmet' };

export type OverLimit = { type: 'over_limit'; usage: Usage };

/**
 * Makes a request, or sends one again, if the person's limit allows it.
 *
 * @param making `limit` undefined: there is no limit
 * @param make writes the request under these conditions, beside its own; called again if the person's record has changed
 * @returns undefined if another condition was not met: nothing was written
 * @throws if the storage is unavailable, and whatever `make` throws: then the request counts, as it may have been written
 */
export async function withinLimit<T>(
  deps: WithinLimitDeps,
  { limit, ...rest }: Omit<Making, 'limit'> & { limit: number | undefined },
  make: (conditions: readonly Condition[]) => Promise<Made<T>>,
): Promise<T | OverLimit | undefined> {
  if (limit === undefined) return resultOf(await make([]));
  const making = { ...rest, limit };
  for (;;) {
    const counted = await count(deps, making);
    if (counted.type === 'over_limit') return counted;
    const { condition, met } = counted;
    const made = await make([condition]);
    if (made.type === 'unmet') {
      const current = await deps.recentRequests.get({ workspace: making.workspace, id: making.person });
      if (current?.record.version !== condition.version) continue;
    }
    if (made.type !== 'written') await uncount(deps, making);
    else if (met) await deps.tellOfLimit(met);
    return resultOf(made);
  }
}

const resultOf = <T>(made: Made<T>): T | undefined => (made.type === 'unmet' ? undefined : made.result);

/** `met`: set if this is the last request that is allowed. */
type Counted = { type: 'counted'; condition: Condition; met: LimitMet | undefined } | OverLimit;

async function count(deps: WithinLimitDeps, making: Making): Promise<Counted> {
  const { workspace, person, limit, key } = making;
  for (;;) {
    const found = await deps.recentRequests.get({ workspace, id: person });
    const now = found?.now ?? (await deps.recentRequests.now());
    const former = found?.record ?? nothingMade(workspace, person);
    const { record, isCounted } = withRequest(former, { key, limit, now });
    const stored = record === former ? former : await writeRecord(deps.recentRequests, byId(record));
    if (!('version' in stored)) continue;
    const { version } = stored;
    const usage = usageOf(record, limit, now);
    const { toldAt } = record;
    const isMet = usage.again !== undefined && toldAt !== undefined;
    const met = isMet ? { workspace, person, usage, toldAt } : undefined;
    if (isCounted)
      return { type: 'counted', condition: { type: 'recent_requests', id: person, version }, met };
    if (met) await deps.tellOfLimit(met);
    return { type: 'over_limit', usage };
  }
}

/** Takes back that a request was counted: it was not written, unless another delivery of the form or click did so. */
export async function uncount(
  deps: Pick<WithinLimitDeps, 'recentRequests'>,
  { workspace, person, key, provided }: Omit<Making, 'limit'>,
): Promise<void> {
  for (;;) {
    const found = await deps.recentRequests.get({ workspace, id: person });
    const record = found && withoutRequest(found.record, key);
    if (!record || record === found.record) return;
    const { type } = await deps.recentRequests.update(byId(record), record.version, [provided]);
    if (type !== 'conflict') return;
  }
}

/** Removes the records of people who have made nothing for an hour. */
export async function removeOutdated(
  { recentRequests }: Pick<WithinLimitDeps, 'recentRequests'>,
  workspace: string,
): Promise<void> {
  const now = await recentRequests.now();
  for await (const record of listById(recentRequests, workspace))
    if (isOutdated(record, now)) await recentRequests.remove(record, record.version);
}
