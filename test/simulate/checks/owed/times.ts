/** Checks that times which people were told hold, by the simulated clock. */
import type { RequestRecord, Step } from '../../../../src/requests/model/record.ts';
import { FAULTS } from '../../spans.ts';
import { policiesBetween } from '../../tables/approvals.ts';
import { EXPIRES, QUEUE_EXPIRES_AFTER_MS } from '../../tables/requests.ts';
import { TEAMS, type Team } from '../../teams.ts';
import { requestsOf, type World } from '../../world/world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Slack shows seconds. */
const SAME_TIME_MS = 1_000;
/** The time within which a request expires, after the end of what holds it up. */
const ENDED_WITHIN_MS = 3 * MINUTE_MS;

export function checkTimes(world: World): void {
  for (const team of TEAMS)
    for (const record of requestsOf(world, team)) {
      const rounds = roundsOf(world, team, record);
      checkTold(world, record, rounds);
      for (const { step, until } of rounds) checkExpiry(world, { team, record, step, until });
      checkQueue(world, team, record);
    }
}

/** A wait for approval, and the times at which it may end. */
type Round = { step: Step; until: readonly number[] };

function roundsOf(world: World, team: Team, { kind, createdAt, steps }: RequestRecord): Round[] {
  return steps
    .filter(({ state }) => state === 'awaiting_approval')
    .map((step) => {
      const policies = policiesBetween(world, { team, kind }, createdAt - MINUTE_MS, step.at);
      return { step, until: policies.map((policy) => step.at + (policy?.expiresAfterMs ?? HOUR_MS)) };
    });
}

/** Checks each "Expires" that Slack has shown. */
function checkTold({ witness }: World, { id }: RequestRecord, rounds: readonly Round[]): void {
  for (const { text } of witness.shown.get(id) ?? [])
    for (const [, seconds] of text.matchAll(EXPIRES)) {
      const told = Number(seconds) * 1_000;
      const isOne = rounds.some(({ until }) => until.some((at) => Math.abs(at - told) <= SAME_TIME_MS));
      if (!isOne) witness.violated(`time: ${witness.nameOf(id)} is said to expire when it does not`);
    }
}

type Waiting = { team: Team; record: RequestRecord; step: Step; until: readonly number[] };

/** Checks that a wait ends when it was said to, and not before. */
function checkExpiry(world: World, { team, record, step, until }: Waiting): void {
  const { witness, spans, scheduler } = world;
  const next = record.steps[step.n];
  const about = witness.nameOf(record.id);
  const ended = next?.at ?? scheduler.now();
  if (next?.state === 'expired' && ended < Math.min(...until) - SAME_TIME_MS)
    witness.violated(`time: ${about} expired before it was said to`);
  const last = spans.settled({ why: FAULTS, team, about, from: Math.max(...until) }, ENDED_WITHIN_MS);
  if (ended - last > ENDED_WITHIN_MS)
    witness.violated(`time: ${about} still waited after it was said to expire`);
}

/** Checks that a request that can't be sent expires after a quarter of an hour, and not before. */
function checkQueue(world: World, team: Team, record: RequestRecord): void {
  const { witness, spans } = world;
  const about = witness.nameOf(record.id);
  const last = record.steps.at(-1);
  const since = last?.state === 'expired' ? queuedSince(record) : undefined;
  if (!last || since === undefined) return;
  const from = since + QUEUE_EXPIRES_AFTER_MS;
  if (last.at < from - SAME_TIME_MS) witness.violated(`time: ${about} expired too soon`);
  if (last.at - spans.settled({ why: FAULTS, team, about, from }, ENDED_WITHIN_MS) > ENDED_WITHIN_MS)
    witness.violated(`time: ${about} expired too late`);
}

/**
 * The beginning of the wait that has ended: a call that was certainly not received does not begin it anew. Undefined: no
 * queue has ended.
 */
function queuedSince({ steps }: RequestRecord): number | undefined {
  const isInQueue = ({ state }: Step) => state === 'queued' || state === 'calling';
  if (steps.at(-2)?.state !== 'queued') return undefined;
  const before = steps.slice(0, -1).findLastIndex((step) => !isInQueue(step));
  return steps.slice(before + 1).find(({ state, cause }) => state === 'queued' && cause.type !== 'answer')
    ?.at;
}
