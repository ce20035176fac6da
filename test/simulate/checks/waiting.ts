/** Checks promise 11: no request, message, notification or uninstall is pending for ever. */
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import { isBefore, saysCanceled } from '../../../src/requests/model/events/match.ts';
import { deliveryOf, messageKeysOf } from '../../../src/requests/model/facts/messages.ts';
import { type Delivery, isPending } from '../../../src/requests/model/messages/delivery.ts';
import type { MessageKey } from '../../../src/requests/model/messages/message.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { World } from '../world/world.ts';
import { callInDoubt } from './outcomes.ts';

const WAITING = ['awaiting_approval', 'queued', 'calling'];

export function checkWaiting({ stored, slack, witness }: World): void {
  for (const { record } of stored.uninstalls.entries())
    witness.violated(`waiting: the uninstall of ${record.workspace} never ends`);
  const isActive = (workspace: string) => slack.world.installations.get(workspace)?.status === 'active';
  for (const { record } of stored.workspaceNotifications.entries()) {
    if (record.claim) witness.violated(`waiting: the claim of a notification (${record.type}) never ends`);
    if (isActive(record.workspace) && isOwing(record.delivery))
      witness.violated(`waiting: a notification (${record.type}) is never posted`);
  }
  for (const { record } of stored.requests.entries())
    for (const what of pendingOf(record, isActive(record.workspace)))
      witness.violated(`waiting: ${record.target}: ${what}`);
}

/** Whether a message has to be posted, searched for, or tidied. */
const isOwing = (delivery: Delivery): boolean => isPending(delivery) || (delivery.tidies ?? []).length > 0;

/** Whether a message may stay unposted: anything but a reply can become obsolete before it is posted. */
const isUnwanted = ({ type }: MessageKey, { status, tidies = [] }: Delivery): boolean =>
  type !== 'reply' && status === 'owed' && tidies.length === 0;

/** Whether an event may stay buffered: it is about an earlier call than one in doubt (outcomes.ts). */
function mayWait(record: RequestRecord, event: ServiceEvent): boolean {
  const call = callInDoubt(record);
  const isOver = record.steps.some(({ n, cause }) => call && n > call.n && cause.type === 'event');
  return call !== undefined && !isOver && !saysCanceled(event) && isBefore(event, call.at);
}

/** @param isActive whether the app is installed, so that the bot can post */
function pendingOf(record: RequestRecord, isActive: boolean): string[] {
  const { state, claim, bufferedEvents } = record;
  const owing = messageKeysOf(record).filter((messageKey) => {
    const delivery = deliveryOf(record, messageKey);
    return delivery !== undefined && !isUnwanted(messageKey, delivery) && isOwing(delivery);
  });
  return [
    ...(WAITING.includes(state) ? [`it is ${state} for ever`] : []),
    ...(claim ? [`its claim for ${claim.effect} never ends`] : []),
    ...(bufferedEvents.every((event) => mayWait(record, event)) ? [] : ['an event is buffered for ever']),
    ...(isActive ? owing.map(({ type }) => `its ${type} is never posted, or never tidied`) : []),
  ];
}
