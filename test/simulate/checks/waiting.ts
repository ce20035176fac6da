/** Checks promise 11: no request, message, notification or uninstall is pending for ever. */
import { deliveryOf, messageKeysOf } from '../../../src/requests/model/facts/messages.ts';
import { type Delivery, isPending } from '../../../src/requests/model/messages/delivery.ts';
import type { MessageKey } from '../../../src/requests/model/messages/message.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import type { World } from '../world/world.ts';

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

/** Whether a person has to say what became of the request, or has: what is buffered is about an earlier call. */
const isLeftToPeople = (record: RequestRecord): boolean =>
  record.state === 'unknown' || currentStep(record).cause.type === 'person';

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
    ...(bufferedEvents.length > 0 && !isLeftToPeople(record) ? ['an event is buffered for ever'] : []),
    ...(isActive ? owing.map(({ type }) => `its ${type} is never posted, or never tidied`) : []),
  ];
}
