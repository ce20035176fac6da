/** Creates the background work: the runners of requests, notices, uninstalls and audit entries, and the scheduled tasks. */
import { createInTurn } from '../in-turn.ts';
import type { QueueName } from '../jobs/bullmq.ts';
import { type Advance, createRunner, type Runner } from '../jobs/runner.ts';
import { createBreaker } from '../order-service/breaker.ts';
import { createOrderCalls } from '../order-service/calls.ts';
import { advance } from '../outbox/advance.ts';
import type { ClaimDeps } from '../outbox/claim.ts';
import type { Wake } from '../outbox/ports.ts';
import type { RecordRef } from '../outbox/record-store.ts';
import { createNoticeType } from '../requests/engine/notice-type.ts';
import { createRequestType, type RequestTypeDeps } from '../requests/engine/request-type.ts';
import type { IncomingEvent } from '../requests/model/events-and-calls.ts';
import type { RequestStore, Tokens } from '../requests/ports/ports.ts';
import { createAuditType } from '../requests/store/audit-trail.ts';
import type { KeepNoticeDeps } from '../requests/store/notices.ts';
import { withApproversCounted } from '../requests/use-cases/approvals/approval-needed.ts';
import { keepUnmatched, recordEvent } from '../requests/use-cases/record-event.ts';
import { botReplaced } from '../requests/use-cases/sharing.ts';
import { joinAgain } from '../slack/client/join-again.ts';
import { limitedEffect } from '../slack/messages/messenger.ts';
import { limitedNoticeEffect } from '../slack/messages/notifier.ts';
import { requestedBySibling } from '../workspaces/connection/connections.ts';
import { checkAllPaused, checkPaused, createTokens } from '../workspaces/connection/tokens.ts';
import { forgetWorkspace } from '../workspaces/installation/forget.ts';
import { installedFields } from '../workspaces/installation/installation-record.ts';
import { createUninstallType, findMissedUninstalls } from '../workspaces/installation/uninstall.ts';
import {
  type ReportedUninstall,
  recordUninstall,
  UNINSTALL_TIMINGS,
  uninstallRecordOf,
} from '../workspaces/installation/uninstall-record.ts';
import { createRoomForEvents } from '../workspaces/room-for-events.ts';
import { createTellAdmins, isNoticeInForce } from '../workspaces/tell-admins.ts';
import type { AppContext } from './context.ts';
import { createScheduledTasks, type Running } from './scheduled-tasks.ts';

export type Background = ReturnType<typeof createBackground>;

export function createBackground(context: AppContext) {
  const { log, stopping, adapters, workspaces } = context;
  const { requests, notices, uninstalls, replicated } = adapters.storage;
  const requestRunner = wireRunner(context, 'requests', requests);
  const noticeRunner = wireRunner(context, 'notices', notices);
  const uninstallRunner = wireRunner(context, 'uninstalls', uninstalls);
  const notifying = { notices, workspaces, wake: noticeRunner.wake };
  const tellAdmins = createTellAdmins({ ...notifying, connections: adapters.connections, replicated, log });
  const pauseDeps = { ...adapters, notifyAdmins: tellAdmins.ofRefusedToken };
  const tokens = createTokens({ ...pauseDeps, log, runtime: adapters.outside.runtime });
  const { wake } = requestRunner;
  const record = wireEvents(context, notifying, wake);
  const uninstallParts = wireUninstalls(context, uninstallRunner.wake, wake);
  const claimDeps = claimDepsOf(context);
  const requestType = wireRequestType(context, { tokens, recordEvent: record });
  const noticeType = wireNoticeType(context, noticeRunner.wake);
  const runningWithoutSlack = [
    advancing(uninstallRunner, (ref) => advance(uninstallParts.type, claimDeps(), ref)),
    ...streamAudit(context, claimDeps),
    ...createScheduledTasks(context, {
      findMissedUninstalls: uninstallParts.findMissed,
      checkPaused: () => checkAllPaused(pauseDeps, log, stopping),
    }),
  ];
  return {
    wake,
    tokens,
    /** Checks, for an admin, the token of a workspace whose calls are paused. */
    checkPaused: (workspace: string) => checkPaused(pauseDeps, workspace, true),
    /** Creates and wakes notices that belong to no request. */
    notifying,
    tellAdmins,
    recordUninstall: uninstallParts.record,
    findMissedUninstalls: uninstallParts.findMissed,
    recordDeadTokens: uninstallParts.recordDead,
    recordEvent: record,
    /** The parts that start and stop with the bot. */
    running: [
      advancing(requestRunner, (ref) => advance(requestType, claimDeps(), ref)),
      advancing(noticeRunner, (ref) => advance(noticeType, claimDeps(), ref)),
      ...runningWithoutSlack,
    ],
    /**
     * The parts that also run while Slack says that the bot's token is dead: the removal of data, the audit stream and the
     * scheduled tasks. Requests and notices wait.
     */
    runningWithoutSlack,
  };
}

const advancing = (runner: Runner, how: Advance): Running => ({
  start: () => runner.start(how),
  stop: runner.stop,
});

/** @returns a function that creates the dependencies of one run of the loop, with a new owner for its claims */
function claimDepsOf({ adapters, overrides, timings, stopping, log }: AppContext): () => ClaimDeps {
  const { sleep, monotonic, uuid } = adapters.outside.runtime;
  const { replicated } = adapters.storage;
  const replica = overrides.replica ?? uuid();
  const { claimMs } = timings;
  let runs = 0;
  return () => {
    runs += 1;
    return { replicated, owner: `${replica}/${runs}`, claimMs, monotonic, sleep, stopping, log };
  };
}

/** The log fields of each type of record. */
const ABOUT: Record<QueueName, (ref: RecordRef) => object> = {
  requests: ({ workspace, id }) => ({ request: id, workspace }),
  notices: ({ workspace, id }) => ({ notice: id, workspace }),
  uninstalls: ({ workspace: id }) => installedFields(id),
  audit_entries: ({ workspace, id }) => ({ auditEntry: id, workspace }),
};

/** Creates the runner for one type of record, over the queue between replicas, if there is one. */
function wireRunner(
  { adapters, overrides, log }: AppContext,
  name: QueueName,
  { due, postpone }: Pick<RequestStore, 'due' | 'postpone'>,
): Runner {
  const { queues, outside } = adapters;
  const options = overrides.runner ?? {};
  const deps = { runtime: outside.runtime, about: ABOUT[name], due, postpone, log, options };
  return queues ? queues.createRunner(deps, name) : createRunner(deps);
}

/** Writes the audit trail to AUDIT_FILE, if that is set. Nothing wakes an entry: the sweep finds it within seconds. */
function streamAudit(context: AppContext, claimDeps: () => ClaimDeps): Running[] {
  const { config, adapters, log } = context;
  if (config.auditFile === undefined) return [];
  const { auditEntries } = adapters.storage;
  const stream = adapters.outside.openAuditStream(config.auditFile);
  const type = createAuditType({ auditEntries, stream, log });
  const runner = wireRunner(context, 'audit_entries', auditEntries);
  return [advancing(runner, (ref) => advance(type, claimDeps(), ref))];
}

/** Wires the record type of notices to Slack and the storage. */
function wireNoticeType({ adapters, slack, timings, log }: AppContext, wake: Wake) {
  return createNoticeType({
    timings,
    log,
    wake,
    notices: adapters.storage.notices,
    notifier: slack.notifier,
    notificationsChannel: async (workspace) => (await adapters.settings.read(workspace)).notificationsChannel,
    isInForce: (of) => isNoticeInForce({ ...adapters, servedBy: slack.installations.servedBy }, of),
    limit: (notice, effect) => slack.rateLimits.takeForMainCall(limitedNoticeEffect(notice, effect)),
  });
}

/** Wires the record type of requests to Slack, the order service and the storage. */
function wireRequestType(
  { config, log, adapters, workspaces, timings, slack }: AppContext,
  { tokens, recordEvent }: Pick<RequestTypeDeps, 'recordEvent'> & { tokens: Tokens },
) {
  const { requests: store, limiter } = adapters.storage;
  const { origin } = config.orderService.url;
  const breaker = createBreaker(limiter, { origin, expiresAfterMs: timings.expiresAfterMs }, log);
  return createRequestType({
    timings,
    log,
    store,
    recordEvent,
    messenger: slack.messenger,
    countApprovers: (record, now) => withApproversCounted(slack.directory, record, now),
    limit: (record, effect) =>
      effect.type === 'call'
        ? breaker.take(record)
        : slack.rateLimits.takeForMainCall(limitedEffect(record, effect)),
    calls: breaker.watch(createOrderCalls({ service: adapters.service, tokens, log })),
    inForce: workspaces.inForce,
  });
}

/** Wires the recording of events: in their requests, or as notices if no request matches. */
function wireEvents(
  { log, adapters, workspaces, timings }: AppContext,
  notifying: KeepNoticeDeps,
  wake: Wake,
) {
  const { requests: store } = adapters.storage;
  const keepDeps = {
    ...notifying,
    log,
    workspaces,
    inTurn: createInTurn().run,
    requestedBySibling: (event: IncomingEvent) =>
      requestedBySibling({ ...adapters, listBySubject: store.listBySubject }, event),
  };
  const deps = {
    store,
    wake,
    timings,
    keepUnmatched: (event: IncomingEvent) => keepUnmatched(keepDeps, event),
    hasRoom: createRoomForEvents({ ...notifying, monotonic: adapters.outside.runtime.monotonic }),
  };
  return (event: IncomingEvent, bufferedBy?: string) => recordEvent(deps, event, bufferedBy);
}

/** Wires the record type of uninstalls, their report, and the search for those that Slack has not reported. */
function wireUninstalls(
  { log, stopping, adapters, overrides, timings, slack }: AppContext,
  wake: Wake,
  wakeRequest: Wake,
) {
  const { requests: store, uninstalls, replicated, scrub } = adapters.storage;
  const { installations, checks, noteRefused, directory, clients } = slack;
  const requestDeps = { store, replicated, directory, wake: wakeRequest, timings };
  const record = (reported: ReportedUninstall) =>
    replicated(() => recordUninstall({ ...installations, uninstalls, wake }, reported));
  const deps = { ...checks, ...installations, recordUninstall: record };
  const type = createUninstallType({
    ...deps,
    uninstalls,
    replicated,
    revokeOwn: adapters.revokeOwn,
    forget: (workspace, mayGoOn) => forgetWorkspace([...adapters.forgets, scrub], workspace, mayGoOn),
    botReplaced: (workspace) =>
      botReplaced(requestDeps, workspace, async (channel) =>
        joinAgain({ directory, log }, await clients.interactive(workspace), { workspace, channel }),
      ),
    noteRefused,
    timings: overrides.uninstallTimings ?? UNINSTALL_TIMINGS,
    log,
  });
  const findMissed = () => findMissedUninstalls({ ...deps, installations: installations.ids, stopping });
  /**
   * Records the uninstall of an installation whose token is dead at the start. An uninstall that is already recorded stays as it
   * is: during its last sweep, a new report would begin the removal again.
   */
  async function recordDead(): Promise<void> {
    for await (const id of installations.ids())
      if (!(await uninstalls.get(uninstallRecordOf(id)))) await record({ id, uninstalled: false });
  }
  return { record, type, findMissed, recordDead };
}
