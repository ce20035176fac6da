/** Checks promise 4: what an acknowledged event says is known to a request or kept as a notice, unless something newer is. */
import { createHash } from 'node:crypto';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { SAME_MOMENT_MS } from '../../tables/requests.ts';
import { TEAMS, type Team } from '../../teams.ts';
import { installedSince, requestsOf, type World } from '../../world/world.ts';
import { keptEvents } from './notices.ts';

type Sent = World['serviceEvents'][number];

export function checkEvents(world: World): void {
  for (const team of TEAMS) {
    if (installedSince(world, team) > 0) continue;
    for (const sent of world.serviceEvents.filter((each) => each.team === team && each.isAcknowledged))
      if (!isKnown(world, team, sent))
        world.witness.violated(`event: ${team} acknowledged one and does not know it: ${sent.body}`);
  }
}

/** Whether the bot knows an event, a repeat of it, or a later word about the same call. */
function isKnown(world: World, team: Team, { order, topic, body }: Sent): boolean {
  const digest = createHash('sha256').update(body).digest('hex');
  const { data } = JSON.parse(body);
  const [createdAt, updatedAt] = [Date.parse(data.createdAt ?? ''), Date.parse(data.updatedAt ?? '')];
  const isSame = (event: { digest: string; updatedAt?: number | undefined }) =>
    event.digest === digest || event.updatedAt === updatedAt;
  const records = requestsOf(world, team).filter(({ target }) => target === order);
  const isOutdated = (record: RequestRecord) => {
    const heard = heardOf(record, createdAt);
    return (
      eventsIn(record).some((event) => isLater(event, { createdAt, updatedAt })) ||
      heard.some(({ last }) => last !== undefined && last.updatedAt >= updatedAt) ||
      // Once the request has had an outcome, the event of a call's creation has nothing to add if the service has told of that call,
      // or if the call arrived long after it was given up: then it counts as made elsewhere, and moves no decided request.
      (topic.endsWith('.created') &&
        hasOutcome(record) &&
        (heard.some(({ said }) => said !== undefined) ||
          isRecordedLast(record) ||
          isOfNoCall(record, createdAt)))
    );
  };
  return (
    keptEvents(world, team).some(({ event }) => event.target === order && isSame(event)) ||
    records.some((record) => isApplied(record, digest) || eventsIn(record).some(isSame)) ||
    records.some(isOutdated)
  );
}

/** The events that a request keeps whole: those that wait, and those that began a step. */
const eventsIn = ({ bufferedEvents, steps }: RequestRecord) => [
  ...bufferedEvents,
  ...steps.flatMap(({ cause }) => ('event' in cause ? [cause.event] : [])),
];

type Times = { createdAt?: number | undefined; updatedAt?: number | undefined };

/**
 * Whether an event is a later word about the same call. A call that arrived long after it was given up may be taken for another
 * one: then what the request knows of its calls has another time.
 */
const isLater = (event: Times, { createdAt = Number.NaN, updatedAt = Number.NaN }: Times): boolean =>
  Math.abs((event.createdAt ?? Number.NaN) - createdAt) <= SAME_MOMENT_MS &&
  (event.updatedAt ?? Number.NaN) >= updatedAt;

/** Whether it is one of the last events that were applied: of each the record keeps the beginning of its digest. */
const isApplied = ({ appliedEvents }: RequestRecord, digest: string): boolean =>
  appliedEvents.digests.some((kept) => digest.startsWith(kept));

/** What a request knows of the calls that an event may be about: of the one made at that time or, if it names none, of all. */
const heardOf = ({ steps, call }: RequestRecord, createdAt: number) =>
  [...steps, ...(call.undone ?? [])]
    .flatMap(({ heard }) => heard ?? [])
    .filter(
      ({ requestedAt }) =>
        Number.isNaN(createdAt) ||
        requestedAt === undefined ||
        Math.abs(requestedAt - createdAt) <= SAME_MOMENT_MS,
    );

/** Whether none of the calls was under way at a time of the order service. */
const isOfNoCall = ({ steps }: RequestRecord, createdAt: number): boolean =>
  !steps.some(({ state, at }, n) => {
    const until = steps[n + 1]?.at ?? Number.POSITIVE_INFINITY;
    return state === 'calling' && !(createdAt < at - SAME_MOMENT_MS || createdAt > until + SAME_MOMENT_MS);
  });

const OUTCOMES = new Set(['approved', 'denied', 'canceled', 'sent']);

const hasOutcome = ({ steps }: RequestRecord): boolean => steps.some(({ state }) => OUTCOMES.has(state));

/** Whether a person has recorded an outcome after the last call, which the event of a creation does not question. */
function isRecordedLast({ steps }: RequestRecord): boolean {
  const lastCall = steps.findLastIndex(({ state }) => state === 'calling');
  return steps.slice(lastCall).some(({ cause, state }) => cause.type === 'person' && OUTCOMES.has(state));
}
