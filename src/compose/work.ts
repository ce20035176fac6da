/** Joins what is done in the background: what records owe, what is told, who leaves, what is too old. */

import { type ChoreTimes, HOURLY } from '../jobs/chore.ts';
import { createRunner } from '../jobs/in-process.ts';
import type { QueueName } from '../jobs/jobs.ts';
import type { Queues } from '../jobs/queue.ts';
import type { Runner, RunnerOptions } from '../jobs/runner.ts';
import { createOrderCalls } from '../order-service/calls.ts';
import { createBreaker } from '../order-service/transport/breaker.ts';
import { type AdvanceDeps, advance } from '../requests/engine/advance.ts';
import { advanceNotice } from '../requests/engine/advance-notification.ts';
import type { Heard } from '../requests/model/events/apply-event.ts';
import type { RefusedToken } from '../requests/model/workspace-notification.ts';
import type { Log, RequestStore, Tokens, Trigger } from '../requests/ports/ports.ts';
import type { RecordRef } from '../requests/ports/record-store.ts';
import type { Runtime } from '../requests/ports/runtime.ts';
import { tellAdmins } from '../requests/store/notify-admins.ts';
import { approversChanged, type ChangedMembers } from '../requests/use-cases/approvals/approvers-changed.ts';
import { createInbox } from '../requests/use-cases/inbox.ts';
import { recordEvent } from '../requests/use-cases/record-event.ts';
import { createSlackLimits } from '../slack/messages/effect-limits.ts';
import type { Generation } from '../workspaces/connection/connection-health.ts';
import { createTokens, findInForce } from '../workspaces/connection/tokens.ts';
import { forgetWorkspace } from '../workspaces/installation/forget.ts';
import {
  advanceDeparture,
  type LeaveDeps,
  noteDeparture,
  type Told,
} from '../workspaces/installation/uninstall.ts';
import { installedFields } from '../workspaces/log-fields.ts';
import { askedBeside } from '../workspaces/requested-by-sibling.ts';
import { createChores, type Running } from './chores.ts';
import type { Common } from './context.ts';

/** What is done in the background, and by whom it is triggered. */
export type Work = {
  trigger: Trigger;
  tokens: Tokens;
  noteDeparture: (told: Told) => Promise<void>;
  approversChanged: (changed: ChangedMembers) => Promise<void>;
  hear: (heard: Heard, except?: string) => ReturnType<typeof recordEvent>;
  /** What is started and stopped with the bot. */
  running: readonly Running[];
};

/** `replica` names this process in its claims; the rest is what only tests change. */
export type WorkOverrides = { replica?: string; runner?: Partial<RunnerOptions>; retention?: ChoreTimes };

/** @param stopping aborted at shutdown: nothing new is begun */
export function createWork(
  common: Common,
  stopping: AbortSignal,
  { replica, runner: options = {}, retention: times = HOURLY }: WorkOverrides,
): Work {
  const { log, parts, store, workspaces, timings, limiter, slack } = common;
  const { notices } = parts.storage;
  const { runtime } = parts.outside;
  const { monotonic, sleep } = runtime;
  const shared = { timings, owner: replica ?? runtime.uuid(), stopping, log };

  const running = { runtime, log, options, queues: parts.queues };
  const { origin } = common.config.orderService.url;
  const breaker = createBreaker(limiter, { origin, lapseMs: timings.lapseMs }, log);
  const slackLimits = createSlackLimits(limiter, common.config.slack);
  const noticeDeps = {
    ...shared,
    notices,
    notifier: slack.notifier,
    trigger: (ref: RecordRef) => noticeRunner.trigger(ref),
    isInForce: async (of: Generation) => (await findInForce(parts.connections, of)) !== undefined,
    limit: slackLimits.ofNotice,
    monotonic,
  };
  const noticeRunner: Runner = runnerOf(notices, (ref) => advanceNotice(noticeDeps, ref), {
    ...running,
    name: 'notices',
  });
  const telling = { notices, workspaces, trigger: noticeRunner.trigger };
  const tell = (refused: RefusedToken) => tellAdmins(telling, refused);
  const tokens = createTokens({ ...parts, tell, log });
  const inbox = createInbox({
    ...telling,
    askedBeside: (heard) => askedBeside({ ...parts, listBySubject: store.listBySubject }, heard),
  });
  const hear: Work['hear'] = (heard, except) =>
    recordEvent({ store, inbox, trigger: requestRunner.trigger, timings }, heard, except);

  const deps: AdvanceDeps = {
    ...shared,
    store,
    hear,
    messenger: slack.messenger,
    limit: (record, act) =>
      act.type === 'call'
        ? limiter.take(breaker.bucketOf(record), record.id)
        : slackLimits.ofRequest(record, act),
    calls: breaker.watch(createOrderCalls({ service: parts.service, tokens, log })),
    sleep: (ms) => sleep(ms),
    monotonic,
  };
  const requestRunner = runnerOf(store, (ref) => advance(deps, ref), { ...running, name: 'requests' });
  const departureRunner = createDepartures(common, stopping, running);
  const leaving = { departures: parts.storage.departures, trigger: departureRunner.trigger };
  return {
    trigger: requestRunner.trigger,
    tokens,
    noteDeparture: (told) => noteDeparture(leaving, told),
    approversChanged: (changed) => approversChanged({ ...telling, directory: slack.directory }, changed),
    hear,
    running: [requestRunner, noticeRunner, departureRunner, ...createChores(common, stopping, times)],
  };
}

type RunnerParts = {
  runtime: Runtime;
  log: Log;
  options: Partial<RunnerOptions>;
  queues: Queues | undefined;
  name: QueueName;
};

/** How the log names a record of each queue. */
const ABOUT: Record<QueueName, (ref: RecordRef) => object> = {
  requests: ({ workspace, id }) => ({ request: id, workspace }),
  notices: ({ workspace, id }) => ({ notice: id, workspace }),
  departures: ({ workspace: left }) => installedFields(left),
};

function runnerOf(
  store: Pick<RequestStore, 'due' | 'postpone'>,
  advanceOne: (ref: RecordRef) => Promise<number | undefined>,
  rest: RunnerParts,
): Runner {
  const { queues, name, ...more } = rest;
  const deps = { about: ABOUT[name], advance: advanceOne, due: store.due, postpone: store.postpone, ...more };
  return queues ? queues.createRunner(deps, name) : createRunner(deps);
}

/** What is done about workspaces that have uninstalled the app. */
function createDepartures(
  { log, parts, slack, leaveTimings }: Common,
  stopping: AbortSignal,
  running: Omit<RunnerParts, 'name'>,
): Runner {
  const { departures } = parts.storage;
  const { installations } = slack;
  const deps: LeaveDeps = {
    departures,
    installed: installations.installed,
    isServed: async (workspace) => (await installations.find(workspace)) !== undefined,
    checkInstalled: slack.checkInstalled,
    revokeOwn: parts.revokeOwn,
    forget: (workspace) => forgetWorkspace(parts.forgets, workspace),
    removeInstallation: installations.remove,
    alone: installations.alone,
    timings: leaveTimings,
    log,
    stopping,
  };
  return runnerOf(departures, (ref) => advanceDeparture(deps, ref), { ...running, name: 'departures' });
}
