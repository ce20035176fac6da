/** Checks promise 4: what an acknowledged event says is known to a request or kept as a notice, unless something newer is. */
import { createHash } from 'node:crypto';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
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

/** Whether the bot knows an event, a repeat of it, or a later word about the same order. */
function isKnown(world: World, team: Team, { order, topic, body }: Sent): boolean {
  const digest = createHash('sha256').update(body).digest('hex');
  const updatedAt = Date.parse(JSON.parse(body).data.updatedAt ?? '');
  const isSame = (event: { digest: string; updatedAt?: number | undefined }) =>
    event.digest === digest || event.updatedAt === updatedAt;
  const records = requestsOf(world, team).filter(({ target }) => target === order);
  const isOutdated = (record: RequestRecord) =>
    lastChange(record) >= updatedAt || (topic.endsWith('.created') && isDecided(record));
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

/** Whether it is one of the last events that were applied: of each the record keeps the beginning of its digest. */
const isApplied = ({ appliedEvents }: RequestRecord, digest: string): boolean =>
  appliedEvents.digests.some((kept) => digest.startsWith(kept));

/** The newest time of change that an applied event has named; minus infinity if none has. */
const lastChange = ({ steps, call }: RequestRecord): number =>
  Math.max(
    ...[...steps, ...(call.undone ?? [])].map(
      ({ heard }) => heard?.last?.updatedAt ?? Number.NEGATIVE_INFINITY,
    ),
  );

const OUTCOMES = new Set(['approved', 'denied', 'canceled', 'already_canceled', 'sent']);

/** Whether a request has had an outcome: the event of its creation then has nothing to add, whatever status it names. */
const isDecided = ({ steps }: RequestRecord): boolean => steps.some(({ state }) => OUTCOMES.has(state));
