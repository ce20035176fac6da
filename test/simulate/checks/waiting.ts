/** Checks promise 11: no request, message, notice or uninstall is pending for ever. */
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { STATES } from '../../support/seen-requests.ts';
import { callInDoubt, isOwing, type Message } from '../tables/records.ts';
import { SAME_MOMENT_MS } from '../tables/requests.ts';
import { teamIn } from '../teams.ts';
import { installedSince, isCutOff, type World } from '../world/world.ts';
import { isMoveUnknown } from './moved.ts';

export function checkWaiting(world: World): void {
  const { stored, witness } = world;
  for (const { record } of stored.uninstalls.entries())
    witness.violated(`waiting: the uninstall of ${record.workspace} never ends`);
  const isActive = (workspace: string) =>
    installedSince(world, teamIn(workspace)) < Number.POSITIVE_INFINITY &&
    !isCutOff(world, teamIn(workspace));
  for (const { record } of stored.notices.entries()) {
    if (record.claim) witness.violated(`waiting: the claim of a notice (${record.type}) never ends`);
    // A post that Slack refuses is tried for a week. So is one to the former id of a channel that has moved.
    const isTriedOn = isMoveUnknown(world, teamIn(record.workspace));
    if (isActive(record.workspace) && isOwing(record.delivery) && !isTriedOn)
      witness.violated(`waiting: a notice (${record.type}) is never posted`);
  }
  for (const { record } of stored.requests.entries())
    for (const what of pendingOf(record, isActive(record.workspace)))
      witness.violated(`waiting: ${witness.nameOf(record.id)}: ${what}`);
}

/** Whether a message may stay unposted: anything but a reply can become obsolete before it is posted. */
const isUnwanted = ({ type, delivery: { status, tidies = [] } }: Message): boolean =>
  type !== 'reply' && status === 'owed' && tidies.length === 0;

/** Whether an event tells that the order is cancelled, by whichever call. */
const saysCanceled = ({ status }: ServiceEvent): boolean => status === 'approved' || status === 'canceled';

/** Whether the request of an event was created and last changed before a moment. */
const isBefore = ({ createdAt = 0, updatedAt }: ServiceEvent, moment: number): boolean =>
  updatedAt !== undefined && Math.max(createdAt, updatedAt) + SAME_MOMENT_MS < moment;

/** Whether an event may stay buffered: it is about an earlier call than one in doubt (tables/records.ts). */
function mayWait(record: RequestRecord, event: ServiceEvent): boolean {
  const call = callInDoubt(record);
  const isOver = record.steps.some(
    ({ n, cause }) => call && n > call.n && cause.type === 'event' && !isBefore(cause.event, call.at),
  );
  return call !== undefined && !isOver && !saysCanceled(event) && isBefore(event, call.at);
}

/** @param isActive whether the app is installed, so that the bot can post */
function pendingOf(record: RequestRecord, isActive: boolean): string[] {
  const { state, claim, bufferedEvents } = record;
  const owing = record.messages.filter((told) => !isUnwanted(told) && isOwing(told.delivery));
  return [
    ...(STATES[state]?.isWaiting ? [`it is ${state} for ever`] : []),
    ...(claim ? [`its claim for ${claim.effect} never ends`] : []),
    ...(bufferedEvents.every((event) => mayWait(record, event)) ? [] : ['an event is buffered for ever']),
    ...(isActive ? owing.map(({ type }) => `its ${type} is never posted, or never tidied`) : []),
  ];
}
