/** Joins the background work: the runners of requests, notices and uninstalls, and the scheduled tasks. */

import { createRunner } from '../jobs/in-process.ts';
import { createInTurn } from '../jobs/in-turn.ts';
import type { QueueName } from '../jobs/jobs.ts';
import type { Queues } from '../jobs/queue.ts';
import type { Runner, RunnerOptions } from '../jobs/runner.ts';
import { createOrderCalls } from '../order-service/calls.ts';
import { callerOfCall, createBreaker } from '../order-service/transport/breaker.ts';
import { advance } from '../outbox/advance.ts';
import type { ClaimDeps } from '../outbox/claim.ts';
import type { Log, Wake } from '../outbox/ports.ts';
import type { RecordRef } from '../outbox/record-store.ts';
import { createNoticeType } from '../requests/engine/notice-type.ts';
import { createRequestType } from '../requests/engine/request-type.ts';
import type { IncomingEvent } from '../requests/model/events/apply-event.ts';
import { newLimitNotice, type RefusedToken } from '../requests/model/notices/notice.ts';
import type { RequestStore, Tokens } from '../requests/ports/ports.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { keepNotice, type NotifyAdminsDeps, notifyAdmins } from '../requests/store/notify-admins.ts';
import type { LimitMet } from '../requests/store/within-limit.ts';
import { approversChanged, type ChangedMembers } from '../requests/use-cases/approvals/approvers-changed.ts';
import { createInbox, recordEvent } from '../requests/use-cases/record-event.ts';
import { callerOfEffect, limitedEffect } from '../slack/messages/messenger.ts';
import { callerOfNotice, limitedNoticeEffect } from '../slack/messages/notifier.ts';
import { checkAllPaused, checkPaused, type PausedChecked } from '../workspaces/connection/check-paused.ts';
import type { Generation } from '../workspaces/connection/connection.ts';
import { pauseIn } from '../workspaces/connection/token/pause.ts';
import { createTokens, findInForce } from '../workspaces/connection/tokens.ts';
import { requestedBySibling } from '../workspaces/events/requested-by-sibling.ts';
import { forgetWorkspace } from '../workspaces/installation/forget.ts';
import { findMissedUninstalls } from '../workspaces/installation/missed-uninstalls.ts';
import { advanceUninstall } from '../workspaces/installation/uninstall.ts';
import { type ReportedUninstall, recordUninstall } from '../workspaces/installation/uninstall-record.ts';
import type { UninstallDeps } from '../workspaces/installation/uninstall-steps.ts';
import { installedFields } from '../workspaces/log-fields.ts';
import type { AppContext } from './context.ts';
import { createScheduledTasks, type Running, type ScheduledTimes } from './scheduled-tasks.ts';

/** The background work, and the functions that wake it. */
export type Background = {
  wake: Wake;
  tokens: Tokens;
  /** Checks, for an admin, the token of a workspace whose calls are paused. */
  checkPaused: (workspace: string) => Promise<PausedChecked>;
  /** Creates and wakes notices that belong to no request. */
  notifying: NotifyAdminsDeps;
  /** Tells the admins that a person has met the limit of requests. Never throws. */
  tellOfLimit: (met: LimitMet) => Promise<void>;
  /** Tells the admins that events have no valid signature. */
  tellOfUnsigned: (of: Generation & { since: number }) => Promise<void>;
  recordUninstall: (reported: ReportedUninstall) => Promise<void>;
  findMissedUninstalls: () => Promise<void>;
  approversChanged: (changed: ChangedMembers) => Promise<void>;
  recordEvent: (event: IncomingEvent, except?: string) => ReturnType<typeof recordEvent>;
  /** The parts that start and stop with the bot. */
  running: readonly Running[];
};

/** `replica` identifies this process in its claims; only tests change the rest. */
export type BackgroundOverrides = ScheduledTimes & {
  replica?: string;
  runner?: Partial<RunnerOptions>;
};

/** @param stopping aborted at shutdown: no new effect begins */
export function createBackground(
  context: AppContext,
  stopping: AbortSignal,
  { replica, runner: options = {}, ...times }: BackgroundOverrides,
): Background {
  const { log, adapters, store, workspaces, timings, slack } = context;
  const { notices, replicated } = adapters.storage;
  const { runtime } = adapters.outside;
  const claiming = claimsOf(context, replica ?? runtime.uuid(), stopping);
  const running = { runtime, log, options, queues: adapters.queues };

  const noticeRunner = createNoticeRunner(context, claiming, running);
  const notifying = { notices, workspaces, wake: noticeRunner.wake };
  const notifyOfRefusal = (refused: RefusedToken) => notifyAdmins(notifying, refused);
  const telling = { ...adapters, notifyAdmins: notifyOfRefusal };
  const tokens = createTokens({ ...telling, log, runtime });
  const inbox = createInbox({
    ...notifying,
    inTurn: createInTurn().run,
    requestedBySibling: (event) =>
      requestedBySibling({ ...adapters, listBySubject: store.listBySubject }, event),
  });
  const record: Background['recordEvent'] = (event, except) =>
    recordEvent({ store, inbox, wake: requestRunner.wake, timings }, event, except);
  const requestRunner = createRequestRunner(context, claiming, { tokens, recordEvent: record }, running);
  const { runner: uninstallRunner, record: report } = createUninstallRunner(context, stopping, running);
  const missed = () =>
    findMissedUninstalls({
      installations: adapters.installations.ids,
      installed: slack.installations.installed,
      ...slack.checks,
      recordUninstall: report,
      stopping,
    });
  const scheduled = createScheduledTasks(
    context,
    stopping,
    { findMissedUninstalls: missed, checkPaused: () => checkAllPaused(telling, log, stopping) },
    times,
  );
  return {
    wake: requestRunner.wake,
    tokens,
    checkPaused: (workspace) => checkPaused(telling, workspace, true),
    notifying,
    tellOfLimit: tellingOfLimit({ ...notifying, ...adapters, log }),
    tellOfUnsigned: async ({ since, ...of }) => {
      const connection = await findInForce(adapters.connections, of);
      if (!connection) return;
      const { workspace, generation, connectedBy } = connection;
      await notifyOfRefusal({ type: 'events_refused', workspace, generation, since, connectedBy });
    },
    recordUninstall: report,
    findMissedUninstalls: missed,
    approversChanged: (changed) =>
      replicated(() => approversChanged({ ...notifying, directory: slack.directory }, changed)),
    recordEvent: record,
    running: [requestRunner, noticeRunner, uninstallRunner, ...scheduled],
  };
}

/** @param owner identifies this process in its claims */
function claimsOf({ adapters, timings, log }: AppContext, owner: string, stopping: AbortSignal): ClaimDeps {
  const { sleep, monotonic } = adapters.outside.runtime;
  const { replicated } = adapters.storage;
  return { replicated, owner, claimMs: timings.claimMs, monotonic, sleep, stopping, log };
}

function tellingOfLimit(
  deps: NotifyAdminsDeps & Pick<AppContext['adapters'], 'connections'> & { log: Log },
): Background['tellOfLimit'] {
  const tell = async ({ workspace, person, usage: { made, limit }, toldAt: since }: LimitMet) => {
    const { connectedBy = 'terminal' } = (await deps.connections.find(workspace)) ?? {};
    const about = { workspace, person, made, limit, since, connectedBy };
    await keepNotice(deps, newLimitNotice(about, since));
  };
  return (met) =>
    tell(met).catch((err) => {
      const { workspace, person: user } = met;
      deps.log.error({ workspace, user, err }, 'admins not told: a person has met the limit of requests');
    });
}

function createNoticeRunner(
  { adapters, slack, limiter, timings, log }: AppContext,
  claiming: ClaimDeps,
  running: Omit<RunnerSetup, 'name'>,
): Runner {
  const { notices } = adapters.storage;
  const type = createNoticeType({
    timings,
    log,
    notices,
    notifier: slack.notifier,
    wake: (ref) => runner.wake(ref),
    notificationsChannel: async (workspace) => (await adapters.settings.read(workspace)).notificationsChannel,
    async isInForce(of) {
      const connection = await findInForce(adapters.connections, of);
      return connection !== undefined && (of.type === 'events_refused' || pauseIn(connection) !== undefined);
    },
    limit: (notice, effect) => slack.rateLimits.takeForMainCall(limitedNoticeEffect(notice, effect)),
    leaveQueues: (ref, pending) =>
      limiter.leaveAllBut(ref, () => pending.map((effect) => callerOfNotice(ref.id, effect))),
  });
  const runner: Runner = runnerOf(notices, (ref) => advance(type, claiming, ref), {
    ...running,
    name: 'notices',
  });
  return runner;
}

function createRequestRunner(
  { config, log, adapters, store, workspaces, timings, limiter, slack }: AppContext,
  claiming: ClaimDeps,
  { tokens, recordEvent }: Pick<Background, 'tokens' | 'recordEvent'>,
  running: Omit<RunnerSetup, 'name'>,
): Runner {
  const { origin } = config.orderService.url;
  const { expiresAfterMs } = timings;
  const breaker = createBreaker(limiter, { origin, expiresAfterMs }, log);
  const calls = createOrderCalls({ service: adapters.service, tokens, log });
  const type = createRequestType({
    timings,
    log,
    store,
    recordEvent,
    messenger: slack.messenger,
    limit: (record, effect) =>
      effect.type === 'call'
        ? breaker.take(record)
        : slack.rateLimits.takeForMainCall(limitedEffect(record, effect)),
    leaveQueues: (ref, pending) =>
      limiter.leaveAllBut(ref, () =>
        pending().map((effect) => (effect.type === 'call' ? callerOfCall(ref) : callerOfEffect(ref, effect))),
      ),
    calls: breaker.watch(calls),
    inForce: workspaces.inForce,
  });
  return runnerOf(store, (ref) => advance(type, claiming, ref), { ...running, name: 'requests' });
}

type RunnerSetup = {
  runtime: Runtime;
  log: Log;
  options: Partial<RunnerOptions>;
  queues: Queues | undefined;
  name: QueueName;
};

/** The log fields of a record in each queue. */
const ABOUT: Record<QueueName, (ref: RecordRef) => object> = {
  requests: ({ workspace, id }) => ({ request: id, workspace }),
  notices: ({ workspace, id }) => ({ notice: id, workspace }),
  uninstalls: ({ workspace: id }) => installedFields(id),
};

function runnerOf(
  store: Pick<RequestStore, 'due' | 'postpone'>,
  advanceOne: (ref: RecordRef) => Promise<number | undefined>,
  rest: RunnerSetup,
): Runner {
  const { queues, name, ...more } = rest;
  const deps = { about: ABOUT[name], advance: advanceOne, due: store.due, postpone: store.postpone, ...more };
  return queues ? queues.createRunner(deps, name) : createRunner(deps);
}

/** Finishes the uninstalls of workspaces. `record` begins one. */
function createUninstallRunner(
  { log, adapters, slack, uninstallTimings }: AppContext,
  stopping: AbortSignal,
  running: Omit<RunnerSetup, 'name'>,
): { runner: Runner; record: Background['recordUninstall'] } {
  const { uninstalls, replicated } = adapters.storage;
  const { installations } = slack;
  const { installed } = installations;
  const wake = (ref: RecordRef) => runner.wake(ref);
  const record: Background['recordUninstall'] = (reported) =>
    replicated(() => recordUninstall({ uninstalls, installed, wake }, reported));
  const deps: UninstallDeps = {
    uninstalls,
    installed,
    recordUninstall: record,
    servedBy: installations.servedBy,
    checkInstalled: slack.checks.checkInstalled,
    revokeOwn: adapters.revokeOwn,
    forget: (workspace, mayGoOn) => forgetWorkspace(adapters.forgets, workspace, mayGoOn),
    removeInstallation: installations.remove,
    claimRemoval: installations.claimRemoval,
    timings: uninstallTimings,
    log,
    stopping,
  };
  const advanceOne = (ref: RecordRef) => advanceUninstall(deps, ref);
  const runner = runnerOf(uninstalls, advanceOne, { ...running, name: 'uninstalls' });
  return { runner, record };
}
