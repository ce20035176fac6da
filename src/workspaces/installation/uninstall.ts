/**
 * Tells the outbox how the data of an uninstalled workspace are removed, and finds uninstalls that were never reported.
 * Slack reports an uninstall twice, in either order, late, and even after a reinstall. So Slack's current answer about the
 * bot token decides, and a later installation is never touched. Each step may be repeated after a crash, however far it had come.
 */
import { asError } from '../../fault.ts';
import type { Further } from '../../outbox/record-store.ts';
import type { RecordType } from '../../outbox/record-type.ts';
import { audited } from '../../requests/store/audit-trail.ts';
import { installedFields, isOrganization } from './installation-record.ts';
import { checkOrganizations, remove, sweep } from './removal.ts';
import {
  askAgain,
  checkReported,
  findReported,
  nextStep,
  pendingOfUninstall,
  retryLater,
  type Step,
  type StepName,
  toSweep,
  type UninstallDeps,
  type UninstallRecord,
  uninstallEntry,
} from './uninstall-record.ts';

export function createUninstallType(deps: UninstallDeps): RecordType<UninstallRecord, StepName> {
  const { uninstalls, replicated, timings } = deps;
  return {
    store: uninstalls,
    fieldsOf: ({ workspace }) => installedFields(workspace),
    level: 'info',
    nameOf: (step) => `uninstall_${step}`,
    pending: pendingOfUninstall,
    begin: async ({ record, now }, effect, { owner }) => ({
      type: 'claim',
      record: { ...record, claim: { effect, owner, startedAt: now, expiresAt: now + timings.removingMs } },
      isSeen: false,
    }),
    async perform(_step, uninstall) {
      const now = uninstall.claim.startedAt;
      try {
        // Otherwise a failover could bring back what was removed, and nothing would remove it any more.
        const next = await replicated(() => takeStep(deps, uninstall, now));
        return { outcome: { result: next?.step.type ?? 'done' }, apply: () => ({ record: next }) };
      } catch (error) {
        const err = asError(error);
        return {
          outcome: { result: 'failed', err },
          apply: () => ({ record: retryLater(deps, uninstall, now) }),
        };
      }
    },
    write: (before, after) =>
      uninstalls.update(uninstallEntry(after), before.version, [], uninstalledAct(before, after)),
  };
}

/**
 * The audit entry of an uninstall, once Slack has confirmed it. It is removed with everything else, unless the workspace comes
 * back at once. An organization can lose its access to a workspace again with the same installation.
 */
function uninstalledAct(
  { workspace, id, generation, at, step }: UninstallRecord,
  next: UninstallRecord,
): Further[] {
  if (step.type !== 'verify' || next.step.type !== 'remove') return [];
  const act = { workspace, id: `${id}:${generation}:${at}`, by: [], act: 'uninstalled' } as const;
  return audited([{ ...act, at: next.notBefore }]);
}

/** @returns the next record of the uninstall; undefined if it is complete */
function takeStep(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord | undefined> {
  switch (uninstall.step.type) {
    case 'verify':
      return verify(deps, uninstall, uninstall.step, now);
    case 'remove':
      return remove(deps, uninstall, uninstall.step, now);
    case 'sweep':
      return sweep(deps, uninstall, now);
  }
}

async function verify(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  { stood }: Step<'verify'>,
  now: number,
): Promise<UninstallRecord | undefined> {
  const { at, uninstalled } = uninstall;
  const { recheckMs, graceMs } = deps.timings;
  if (!(await findReported(deps, uninstall))) return toSweep(deps, uninstall, now);
  const check = await checkReported(deps, uninstall);
  switch (check) {
    case 'unknown':
      return askAgain(deps, uninstall, now);
    case 'refused':
    case 'expired':
      return stayRefused(deps, uninstall, REFUSED[check], now);
    case 'stands':
      noteAccepted(deps, uninstall);
      if (stood > 0) return toSweep(deps, uninstall, now);
      return nextStep(uninstall, { type: 'verify', stood: stood + 1 }, now + recheckMs);
    case 'gone':
      return now < at + graceMs && !uninstalled
        ? waitForTokens(deps, uninstall, now)
        : beginRemoval(deps, uninstall, now);
  }
}

/** Begins the removal of an installation with a dead token, once it is known whether an organization serves the workspace. */
async function beginRemoval(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  now: number,
): Promise<UninstallRecord> {
  const { workspace: id, at, uninstalled } = uninstall;
  const { revokeForMs, graceMs } = deps.timings;
  const serving = await checkOrganizations(deps, uninstall);
  if (serving === 'unknown') return askAgain(deps, uninstall, now);
  if (serving === 'gone') {
    if (now < at + graceMs) return waitForTokens(deps, uninstall, now);
    await deps.setOrganization(id, undefined);
  }
  deps.log.info(
    installedFields(id),
    serving === 'stands'
      ? 'Countermand was uninstalled: the organization goes on serving the workspace'
      : 'Countermand was uninstalled: its data will be removed',
  );
  // Counted from the first report: the daily search reports it again, and each report begins anew.
  const since = uninstalled && serving !== 'gone' ? at : at + graceMs;
  return nextStep(uninstall, { type: 'remove', revokeUntil: since + revokeForMs }, now);
}

/**
 * Waits for the report of an uninstall, or for new tokens. The report of revoked tokens itself is no sign of a dead one: it may
 * come after a reinstall.
 */
function waitForTokens(deps: UninstallDeps, uninstall: UninstallRecord, now: number): UninstallRecord {
  logTokenTrouble(
    deps,
    uninstall,
    { removedInMs: uninstall.at + deps.timings.graceMs - now },
    'Countermand seems to be uninstalled: its data will be removed unless it is installed again and, where SLACK_BOT_TOKEN is set, that is the new token',
  );
  return retryLater(deps, uninstall, now);
}

const REFUSED = {
  refused:
    'Slack refuses the bot token, or the address of this machine: compare that with the IP ranges allowed for the app, or install Countermand again',
  expired: 'Slack does not renew the bot token, which has expired: install Countermand again',
};

/**
 * Removes nothing: Slack may refuse only the address of this machine, or the app may still be installed. Each such refusal begins
 * anew the day that must pass before a removal, once Slack says that the token is dead.
 */
function stayRefused(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  why: string,
  now: number,
): UninstallRecord {
  logTokenTrouble(
    deps,
    uninstall,
    {},
    `${why}. To remove the data of an app that is gone for good, use countermand purge`,
  );
  return retryLater(deps, { ...uninstall, at: now }, now);
}

/** Tries come ten minutes apart after a while, so a line at every sixth is about one an hour. */
const TRIES_FOR_A_LINE = 6;

/**
 * Logs that the token does not work: at each report, and about hourly after that. If Slack did not answer the first try, the
 * first line comes minutes later.
 */
function logTokenTrouble(
  deps: UninstallDeps,
  uninstall: UninstallRecord,
  fields: object,
  message: string,
): void {
  const { workspace, organization, tries } = uninstall;
  if (tries % TRIES_FOR_A_LINE !== 0) return;
  if (organization === undefined) deps.noteRefused(workspace);
  deps.log.error({ ...tokenFields(uninstall, 'slack_token_refused'), ...fields }, message);
}

/** Takes back what `logTokenTrouble` may have logged. */
function noteAccepted({ log }: UninstallDeps, uninstall: UninstallRecord): void {
  if (uninstall.tries > 0)
    log.info(
      tokenFields(uninstall, 'slack_token_accepted'),
      'Countermand is installed by what Slack says now: no data will be removed',
    );
}

/** The log fields. `event` is left out where an organization has lost one workspace: its token works. */
const tokenFields = ({ workspace: id, organization }: UninstallRecord, event: string): object => ({
  ...(organization === undefined ? { event } : {}),
  ...installedFields(id),
});

type MissedUninstallsDeps = Pick<
  UninstallDeps,
  'checkInstalled' | 'installed' | 'setOrganization' | 'recordUninstall'
> & {
  stopping: AbortSignal;
  installations: () => AsyncIterable<string>;
  /** Asks Slack to which workspaces an organization has access. @returns undefined if Slack did not say */
  listAccess: (organization: string) => Promise<ReadonlySet<string> | undefined>;
};

/**
 * Asks Slack about one installation after another. A dead, refused or expired bot token, or an organization's lost access to a
 * workspace, is recorded as if Slack had reported revoked tokens: somebody may be about to install again. Slack repeats an event
 * three times within about six minutes (https://docs.slack.dev/apis/events-api/#retries), so a bot that was away for longer never
 * hears of it.
 *
 * @throws if the storage is unavailable, or a record can't be read: after Slack was asked about all others
 */
export async function findMissedUninstalls(deps: MissedUninstallsDeps): Promise<void> {
  const errors: unknown[] = [];
  for await (const id of deps.installations()) {
    if (deps.stopping.aborted) return;
    await findMissed(deps, id).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

async function findMissed(deps: MissedUninstallsDeps, id: string): Promise<void> {
  const check = await deps.checkInstalled({ workspace: id });
  if (check !== 'stands' && check !== 'unknown') return deps.recordUninstall({ id, uninstalled: false });
  const { workspaces = [] } = (await deps.installed({ workspace: id })) ?? {};
  // The installation of one workspace has no access to others that it could lose.
  const access = isOrganization(id) ? await deps.listAccess(id) : undefined;
  if (!access) return;
  for (const workspace of workspaces)
    if (!access.has(workspace))
      await deps.recordUninstall({ id: workspace, uninstalled: false, organization: id });
  // A workspace may have joined the organization after it had installed the app.
  for (const workspace of access) await deps.setOrganization(workspace, id);
}
