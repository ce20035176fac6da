/**
 * Checks promise 2 by what people did, whatever the bot has written into its steps. Each call under a policy had enough approvals
 * at one time shortly before, by people who could approve then, and no call or approval follows a decline.
 */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Why } from '../spans.ts';
import {
  approversOf,
  EMOJI,
  lossesOf,
  mayApproveThroughout,
  mayApproveWithin,
  policiesBetween,
} from '../tables/approvals.ts';
import { QUEUE_EXPIRES_AFTER_MS } from '../tables/requests.ts';
import { TEAMS, type Team } from '../teams.ts';
import { requestsOf, type World } from '../world/world.ts';

/**
 * The length of a claim: votes and rights are read, and decided by, under one claim. A clock that was set back does not make
 * this longer, because claims expire by the clock of the storage.
 */
const READ_WITHIN_MS = 60_000;
/** From the decision to its call: an approved request waits no longer, and is claimed once more at the end. */
const CALLED_WITHIN_MS = QUEUE_EXPIRES_AFTER_MS + 2 * READ_WITHIN_MS;

/** A vote in favour that was cast or taken back. `known`: when it counts from; for a removal, when the bot must know of it. */
type Change = { by: string; source: string; added: boolean; at: number; known: number };

export function checkDecisions(world: World): void {
  for (const team of TEAMS)
    for (const record of requestsOf(world, team)) {
      const calls = world.witness.callsFor(record);
      for (const { at } of calls) checkApproved(world, team, record, at);
      checkDeclined(world, record, Math.max(0, ...calls.map(({ at }) => at)));
      checkReactions(world, team, record);
    }
}

/**
 * Checks that enough people approved a call, under each policy that may have been in force when the request was made or
 * sent again.
 */
function checkApproved(world: World, team: Team, record: RequestRecord, at: number): void {
  const { kind, createdAt, requester, id } = record;
  const policies = policiesBetween(world, { team, kind }, createdAt - READ_WITHIN_MS, at);
  const short = policies.map((policy) => {
    if (!policy) return 0;
    const changes = changesOf(world, team, record, EMOJI[policy.emoji ?? 'usual'].yes);
    const counted = changes.filter(({ by }) => by !== requester && approversOf(policy).includes(by));
    const regained = counted.flatMap(({ by }) => lossesOf(world, team, policy, by).map(({ to }) => to));
    const mayVote = (by: string, moment: number) =>
      mayApproveWithin(world, team, policy, by, { from: moment - READ_WITHIN_MS, to: moment });
    return policy.quorum - mostAtOnce(counted, { mayVote, regained, call: at });
  });
  if (Math.min(...short) > 0)
    world.witness.violated(
      `decision: ${world.witness.nameOf(id)} was sent ${Math.min(...short)} approvals short`,
    );
}

/** `mayVote`: whether a person might vote shortly before a moment. `regained`: when one of them might again. */
type Rights = {
  mayVote: (person: string, moment: number) => boolean;
  regained: readonly number[];
  call: number;
};

/** The largest number of people whose approval stood at one time shortly before a call. */
function mostAtOnce(all: readonly Change[], { mayVote, regained, call }: Rights): number {
  const changes = all.filter(({ at }) => at <= call);
  const from = call - CALLED_WITHIN_MS;
  const moments = [from, ...changes.map(({ known }) => known), ...regained].filter(
    (at) => at >= from && at <= call,
  );
  const atOnce = moments.map((moment) => {
    const people = new Set<string>();
    for (const { by } of changes) if (mayVote(by, moment) && stands(changes, by, moment)) people.add(by);
    return people.size;
  });
  return Math.max(0, ...atOnce);
}

/** Whether a vote of a person, by any source, had been cast and not been taken back by a moment. */
function stands(changes: readonly Change[], person: string, moment: number): boolean {
  const own = changes.filter(({ by, known }) => by === person && known <= moment);
  return own.some(
    ({ added, at, source }) =>
      added && !own.some((other) => !other.added && other.source === source && other.at > at),
  );
}

/** @param yes the emoji of an approval */
function changesOf(
  { presses, reactions, witness }: World,
  team: Team,
  { id }: RequestRecord,
  yes: string,
): Change[] {
  const pressed = presses
    .filter(({ request, choice }) => request === id && choice === 'yes')
    .map(
      ({ by, added, at, endedAt = Number.POSITIVE_INFINITY }): Change => ({
        by,
        source: 'button',
        added,
        at,
        known: added ? at : endedAt,
      }),
    );
  const places = witness.votedOn.get(id) ?? new Set();
  const reacted = reactions.flatMap(({ team: where, about, emoji: source, added, at }): Change[] => {
    const [channel, ts, by = '', emoji] = about.split(' ');
    const isIts = where === team && emoji === yes && places.has(`${channel} ${ts}`);
    if (!isIts) return [];
    return [{ by, source: `${channel} ${ts} ${source}`, added, at, known: added ? at : at + READ_WITHIN_MS }];
  });
  return [...pressed, ...reacted];
}

/** Checks that a request which the bot said is declined is not called after that. */
function checkDeclined({ presses, witness }: World, { id }: RequestRecord, lastCall: number): void {
  const declined = presses.find(({ request, answer }) => request === id && answer === 'declined');
  if (declined && lastCall > (declined.endedAt ?? 0))
    witness.violated(`decision: ${witness.nameOf(id)} was sent after ${declined.by} had declined it`);
}

/** Checks that no approval follows a reaction that declines, and that the bot has acknowledged while it waited for approvals. */
function checkReactions(world: World, team: Team, record: RequestRecord): void {
  const { approval, steps, id } = record;
  const n = steps.findLastIndex(({ state }) => state === 'awaiting_approval');
  const [asked, next] = [steps[n], steps[n + 1]];
  if (!approval || !asked || next?.state !== 'queued') return;
  const places = world.witness.votedOn.get(id) ?? new Set();
  for (const { team: where, about, added, at, acknowledgedAt = next.at } of world.reactions) {
    const [channel, ts, by = '', emoji] = about.split(' ');
    const isDecline = added && where === team && emoji === approval.policy.emoji.no;
    const isInTime = at > asked.at && acknowledgedAt < next.at;
    if (!isDecline || !isInTime || !places.has(`${channel} ${ts}`)) continue;
    if (
      mayDecline(world, team, record, by, { from: at, to: acknowledgedAt }) &&
      !hasChanged(world, { about, approval: `${channel} ${ts} ${by} ${approval.policy.emoji.yes}` }, at)
    )
      world.witness.violated(
        `decision: ${world.witness.nameOf(id)} was approved after ${by} had declined it`,
      );
  }
}

/** The reasons for which a vote may not count, whoever gives it. */
const UNCOUNTED: readonly Why[] = ['shared', 'moved', 'uninstalled', 'paused'];

/** Whether the vote of a person certainly counts in a period. */
function mayDecline(
  world: World,
  team: Team,
  { kind, requester, createdAt }: RequestRecord,
  by: string,
  { from, to }: { from: number; to: number },
): boolean {
  const around = { from: from - READ_WITHIN_MS, to: to + READ_WITHIN_MS };
  const policies = policiesBetween(world, { team, kind }, createdAt - READ_WITHIN_MS, to);
  const isUncounted = world.spans.find({ why: UNCOUNTED, team, ...around }).length > 0;
  const mayAlways = policies.every(
    (policy) => policy && mayApproveThroughout(world, team, policy, by, around),
  );
  return by !== requester && !isUncounted && mayAlways;
}

/**
 * Whether a person took back a reaction, or approved, after a moment: if the bot learns of both at once, or of the approval
 * first, the later one is their vote. `about`, `approval`: their reactions, as in `World.reactions`.
 */
const hasChanged = (
  { reactions, presses }: World,
  { about, approval }: { about: string; approval: string },
  since: number,
): boolean =>
  reactions.some((each) => each.about === (each.added ? approval : about) && each.at >= since) ||
  presses.some(({ by, at, choice }) => about.includes(` ${by} `) && choice === 'yes' && at >= since);
