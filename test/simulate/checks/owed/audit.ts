/**
 * Checks the audit trail: each act of a person that a request or the settings show has exactly one entry, and no entry tells
 * of what nobody did.
 */
import type { AuditEntry } from '../../../../src/requests/model/audit-entry.ts';
import { actsShownBy, type Told } from '../../tables/audit.ts';
import { idOf, TEAMS, type Team, workspaceOf } from '../../teams.ts';
import { installedSince, requestsOf, type World } from '../../world/world.ts';

export function checkAudit(world: World): void {
  const all = [...world.stored.auditEntries.entries()].map(({ record }) => record);
  for (const team of TEAMS) {
    const trail = all.filter(({ workspace }) => workspace === workspaceOf(team));
    checkRequests(world, team, trail);
    checkPauses(world, team, trail);
    checkPolicies(world, team, trail);
    for (const entry of trail) checkTried(world, team, entry);
  }
}

const textOf = ({ act, by, at }: Told): string => `${at} ${by} ${act}`;

function checkRequests(world: World, team: Team, trail: readonly AuditEntry[]): void {
  // The removal of an uninstalled workspace may have met the request and its entries at different times.
  const since = installedSince(world, team);
  for (const record of requestsOf(world, team).filter(({ createdAt }) => createdAt >= since)) {
    const shown = actsShownBy(record).map(textOf).sort();
    const told = trail
      .filter(({ request }) => request?.id === record.id)
      .map(({ act, by, at }) => textOf({ act, by: by.join(), at }))
      .sort();
    if (shown.join('\n') === told.join('\n')) continue;
    const missing = shown.filter((act) => !told.includes(act));
    world.witness.violated(
      `audit: ${world.witness.nameOf(record.id)} shows ${shown.length} acts, and its trail has ${told.length} (missing: ${missing.join('; ')})`,
    );
  }
}

/** Checks that pauses and their ends are told in turn, up to what the settings say now. */
function checkPauses(world: World, team: Team, trail: readonly AuditEntry[]): void {
  if (installedSince(world, team) > 0) return;
  const stored = [...world.stored.settings.entries()].map(({ record }) => record);
  const { paused, resumed } = stored.find(({ workspace }) => workspace === workspaceOf(team))?.settings ?? {};
  const acts = trail
    .filter(({ act }) => act === 'paused' || act === 'resumed')
    .sort((a, b) => a.at - b.at)
    .map(({ act }) => act);
  const isInTurn = acts.every((act, i) => act === (i % 2 === 0 ? 'paused' : 'resumed'));
  const last = paused ? 'paused' : resumed && 'resumed';
  if (!isInTurn || acts.at(-1) !== last)
    world.witness.violated(
      `audit: the pauses of ${team} are told as "${acts.join()}", and the last is ${last}`,
    );
}

/** Checks that each policy that was saved, and acknowledged, is told. */
function checkPolicies(world: World, team: Team, trail: readonly AuditEntry[]): void {
  if (installedSince(world, team) > 0) return;
  const told = trail
    .filter(({ act }) => act === 'changed_setting')
    .map(({ setting, to }) => ({ setting, to }));
  for (const { kind, policy, known } of world.policies.filter((each) => each.team === team)) {
    if (!kind || !policy || known === Number.POSITIVE_INFINITY) continue;
    const isTold = told.some(
      ({ setting, to }) =>
        setting === `policy of ${kind}` &&
        (to as { expiresAfterMs: number }).expiresAfterMs === policy.expiresAfterMs,
    );
    if (!isTold) world.witness.violated(`audit: a policy of ${team} for ${kind} was saved, and is not told`);
  }
}

/** Checks that somebody tried to do what an entry tells. */
function checkTried(world: World, team: Team, entry: AuditEntry): void {
  const isTried = entry.by.every((person) => hasTried(world, team, person, entry));
  if (!isTried)
    world.witness.violated(`audit: ${entry.by.join()} of ${team} never tried what "${entry.act}" tells`);
}

function hasTried(world: World, team: Team, person: string, { act, request, setting }: AuditEntry): boolean {
  const isTheirs = (each: { by: string; team: string }) => each.by === person && each.team === team;
  const confirmed = world.confirmed.filter((each) => isTheirs(each) && each.request === request?.id);
  switch (act) {
    case 'requested':
      return world.submissions.some((each) => isTheirs(each) && each.id === request?.id);
    case 'voted':
    case 'took_vote_back':
    case 'decided':
    case 'gave_reason':
      return hasVoted(world, team, person, { request: request?.id, added: act !== 'took_vote_back' });
    case 'paused':
    case 'resumed':
      return world.pauses.some(({ team: where, resumed }) => where === team && (act === 'paused' || resumed));
    case 'changed_setting':
      return world.policies.some((each) => each.team === team && setting === `policy of ${each.kind}`);
    case 'installed':
    case 'connected':
    case 'disconnected':
    case 'revoked_token':
      return person === idOf('U', 'olga');
    default:
      return confirmed.length > 0;
  }
}

/** Whether a person pressed a vote button of the request, or changed a reaction: those name no request. */
function hasVoted(
  { presses, reactions }: World,
  team: Team,
  person: string,
  { request, added }: { request: string | undefined; added: boolean },
): boolean {
  return (
    presses.some((each) => each.request === request && each.by === person && each.added === added) ||
    reactions.some(
      ({ team: where, about, added: isAdded }) =>
        where === team && about.split(' ')[2] === person && isAdded === added,
    )
  );
}
