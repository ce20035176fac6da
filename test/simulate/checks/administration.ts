/** Checks that the settings of admins are in force: the stored token, and each saved policy. */
import { KINDS } from '../../support/seen-requests.ts';
import type { Replica } from '../replica.ts';
import { policiesBetween } from '../tables/approvals.ts';
import { TEAMS, type Team, workspaceOf } from '../teams.ts';
import { installedSince, type World } from '../world/world.ts';

export async function checkAdministration(world: World, replica: Replica): Promise<void> {
  for (const team of TEAMS) {
    await checkConnection(world, replica, team);
    await checkPolicies(world, replica, team);
  }
}

/** The time in which a token that was refused a few times is checked again, and found to be good. */
const CHECKED_WITHIN_MS = 14 * 60_000;

/** Checks that a stored token that the service accepts counts as valid, also after an earlier one was refused. */
async function checkConnection(world: World, replica: Replica, team: Team): Promise<void> {
  const { connections } = replica.bot().context.adapters;
  const row = await connections.find(workspaceOf(team));
  const token = row && (await connections.token(row));
  const isGood = world.service.organizations.get(team)?.tokens.some((each) => each.token === token);
  const state = await replica.bot().context.workspaces.connection(workspaceOf(team));
  const all = { why: ['unauthorized'], team, from: 0, to: Number.POSITIVE_INFINITY } as const;
  const refusals = world.spans.find(all);
  // In a play that goes on, tokens are checked once an hour.
  const since = world.scheduler.now() - CHECKED_WITHIN_MS;
  const isUnchecked = refusals.some(({ from }) => world.goesOn || from > since);
  if (isGood && state === 'token_refused' && !isUnchecked)
    world.witness.violated(`connection: the good token of ${team} counts as refused`);
  if (isGood && row?.pause && refusals.length === 0)
    world.witness.violated(`connection: calls with the good token of ${team} were paused`);
}

/** Checks that the policy of each kind is one of the saved policies that may be in force now. */
async function checkPolicies(world: World, replica: Replica, team: Team): Promise<void> {
  if (installedSince(world, team) > 0) return;
  const now = world.scheduler.now();
  const { policies } = await replica.bot().context.adapters.settings.read(workspaceOf(team));
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    const { quorum, expiresAfterMs = 0 } = policies?.[kind] ?? {};
    const isOne = policiesBetween(world, { team, kind }, now, now).some((saved) =>
      saved && quorum
        ? saved.quorum === quorum && (saved.expiresAfterMs ?? HOUR_MS) === expiresAfterMs
        : saved === undefined && quorum === undefined,
    );
    if (!isOne) world.witness.violated(`settings: a policy of ${team} for ${kind} was saved, and is lost`);
  }
}

const HOUR_MS = 60 * 60_000;
