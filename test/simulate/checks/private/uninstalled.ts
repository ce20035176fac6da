/** Checks promise 11: nothing is left of a workspace that has uninstalled the app, and nothing is taken from any other. */
import type { InstallationRecord } from '../../../../src/workspaces/installation/installation-record.ts';
import type { Why } from '../../spans.ts';
import { TEAMS, type Team, workspaceOf } from '../../teams.ts';
import { works } from '../../world/slack-side.ts';
import type { World } from '../../world/world.ts';

/** The length of a claim to remove data. */
const REMOVED_WITHIN_MS = 10 * 60_000;
/** Faults that keep a process from giving a claim back. */
const DIED_IN: readonly Why[] = ['storage', 'crash', 'freeze', 'failover', 'stopped'];

export function checkUninstalled(world: World): void {
  for (const team of TEAMS) if (isGone(world, team)) checkNothingLeft(world, workspaceOf(team));
}

/**
 * Returns a check of each write of an installation: one whose token Slack accepts is neither removed nor replaced by one with a
 * dead token, which comes late from an earlier try. An installation with a dead token may be removed once an earlier uninstall is
 * reported: the bot can't know better. `token`: the bot token in the installation that is written; undefined: none is installed.
 */
export function createInstallationCheck(world: World) {
  /** The token that is stored for each team; none if it is not known. */
  const last = new Map<Team, string>();
  return {
    onWrite(workspace: string, token: string | undefined): void {
      const team = TEAMS.find((each) => workspaceOf(each) === workspace);
      if (team === undefined) return;
      const before = last.get(team);
      if (token === undefined) last.delete(team);
      else last.set(team, token);
      if (before === undefined || !works(world, team, before)) return;
      if (token === undefined)
        world.witness.violated(`uninstalled: ${workspace} is removed, where the app is installed`);
      else if (!works(world, team, token))
        world.witness.violated(`installed: the token of ${workspace} works, and is replaced by a dead one`);
    },
    /** Forgets what was written: a failover, or a commit that failed, may have undone it. */
    onRestored: () => last.clear(),
  };
}

/** Whether the app is not installed in Slack, whatever the bot knows of that. */
const isGone = ({ slack }: World, team: Team): boolean =>
  slack.of[team].world.installations.get(workspaceOf(team))?.status === 'uninstalled';

/**
 * Whether a process met a fault while it removed the installation, so that it could not give back the claim that is all the
 * record holds. The daily task removes such a record (owed/kept.ts).
 */
const isUnreleased = ({ spans }: World, { installed, claim }: InstallationRecord): boolean =>
  installed === undefined &&
  claim !== undefined &&
  spans.find({
    why: DIED_IN,
    from: claim.expiresAt - REMOVED_WITHIN_MS,
    to: claim.expiresAt,
  }).length > 0;

function checkNothingLeft(world: World, workspace: string): void {
  const { stored, witness } = world;
  const left = [...recordsLeft(stored, workspace), ...namesLeft(stored, workspace)];
  for (const what of left) witness.violated(`uninstalled: ${what} of ${workspace} are left`);
  for (const { record } of stored.installations.entries())
    if (record.workspace === workspace && !isUnreleased(world, record))
      witness.violated(`uninstalled: the installation of ${workspace} is left`);
}

function recordsLeft(stored: World['stored'], workspace: string): string[] {
  const { requests, notices, uninstalls, settings } = stored;
  const { recentRequests, unsignedEvents, connections, auditEntries } = stored;
  const own = { requests, notices, uninstalls, settings };
  const all = { ...own, recentRequests, unsignedEvents, connections, auditEntries };
  return Object.entries(all).flatMap(([type, store]) =>
    [...store.entries()].some(({ record }) => record.workspace === workspace) ? type : [],
  );
}

/** Lists the places that name a workspace outside of its own records. */
function namesLeft(stored: World['stored'], workspace: string): string[] {
  const { tokens, organizations, cells, limited } = stored;
  const holders = [...tokens.entries()].flatMap(({ record }) => record.holders);
  const named = {
    limits: limited.has(workspace),
    'tokens that are held': holders.some((holder) => holder.workspace === workspace),
    organizations: [...organizations.entries()].some(({ record }) => record.id === workspace),
    values: [...cells].some(([key, value]) => key.includes(workspace) || value.includes(workspace)),
  };
  return Object.entries(named).flatMap(([what, isLeft]) => (isLeft ? what : []));
}
