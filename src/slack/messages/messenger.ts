/** The core's messenger, over Slack: the messages about a request, and the votes on them. */

import type { CopiesPlace, Destination } from '../../outbox/delivery.ts';
import type { OutsideEffect } from '../../requests/engine/effects.ts';
import { byNumber, deliveryOf, destinationOfReply } from '../../requests/model/facts/messages.ts';
import { destinationOfNotification, threadUnder } from '../../requests/model/facts/notifications.ts';
import type { MessageKey, TrackedMessage } from '../../requests/model/message.ts';
import { fieldsOf, type RequestRecord } from '../../requests/model/record.ts';
import type { Messenger } from '../../requests/ports/messenger.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { approvalsChannelProblem } from '../../requests/use-cases/approvals/approvers.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { STEP_METADATA } from '../blocks/ids.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import type { SlackCalls } from './call-slack.ts';
import { postMessage, updateMessage } from './deliver.ts';
import { findMessage, tidyCopies } from './duplicates/find-and-tidy.ts';
import { namedProblem } from './effect-failures.ts';
import { type Location, limitedMessageEffect, type Marker, type Outgoing, type Place } from './outgoing.ts';
import { callerOfConfirmation, createVoteReading, limitedConfirmation } from './read-votes.ts';
import { renderMessage } from './render-message.ts';

export function createMessenger(deps: SlackCalls, directory: SlackDirectory): Messenger {
  const messageOf = (record: RequestRecord, messageKey: MessageKey): Outgoing => ({
    ...addressed(record, messageKey),
    about: fieldsOf(record),
    to: destinationOfReply(record, messageKey),
    marker: markerOf(record, messageKey),
    delivery: deliveryOf(record, messageKey),
    location: locationOf(record, messageKey),
    createdAt: record.createdAt,
    async render(client, effect) {
      const isApproval = messageKey.type === 'approval_message';
      const problem = isApproval && effect === 'post' ? await channelProblem(directory, record) : undefined;
      if (problem) return { type: 'hidden', code: problem };
      const maxAgeMs = effect === 'update' ? CHANNEL_MAX_AGE_MS : undefined;
      return renderMessage(client, directory, record, messageKey, maxAgeMs);
    },
    named: (refused) => (messageKey.type === 'approval_message' ? namedProblem(refused) : refused),
  });
  return {
    post: (record, messageKey, guard) => postMessage(deps, messageOf(record, messageKey), guard),
    update: (record, messageKey, guard) => updateMessage(deps, messageOf(record, messageKey), guard),
    find: (record, messageKey, guard) => findMessage(deps, messageOf(record, messageKey), guard),
    tidy: (record, { messageKey, ...copies }: { messageKey: MessageKey } & CopiesPlace, guard) =>
      tidyCopies(deps, messageOf(record, messageKey), copies, guard),
    ...createVoteReading(deps, directory),
  };
}

const addressed = (
  record: RequestRecord,
  messageKey: MessageKey,
): Pick<Outgoing, 'workspace' | 'callerOf' | 'placeOf'> => ({
  workspace: record.workspace,
  callerOf: (type) => callerOfEffect(record, { type, messageKey }),
  placeOf: (to) => placeOf(record, messageKey, to),
});

function placeOf(record: RequestRecord, messageKey: MessageKey, went: Destination | undefined): Place {
  const { requester, card, channel, thread, approval, notifications } = record;
  switch (messageKey.type) {
    case 'card':
      return thread === undefined ? { channel } : { under: { channel, ts: thread }, instead: requester };
    case 'approval_message':
      return { channel: approval?.policy.channel ?? '' };
    case 'reply': {
      const to = went ?? destinationOfReply(record, messageKey);
      if (to === 'channel') return { channel };
      return to === 'thread' ? { under: parentOf(record, card), instead: requester } : { person: requester };
    }
    case 'notification': {
      const place = destinationOfNotification(record, byNumber(notifications, messageKey.n));
      return 'under' in place ? { under: parentOf(record, place.under), instead: requester } : place;
    }
  }
}

/** The message in whose thread a reply to a message stands. */
function parentOf(record: RequestRecord, message: TrackedMessage): Location | undefined {
  const { location } = message;
  const ts = threadUnder(record, message);
  return location && ts ? { channel: location.channel, ts } : undefined;
}

/** By its step: 0 for the card, the number of its step for a reply, a name for the others. */
export function markerOf({ id, approval }: RequestRecord, messageKey: MessageKey): Marker {
  const step = {
    card: 0,
    approval_message: `approval message ${approval?.approvalMessage?.round ?? approval?.round ?? 1}`,
    reply: 'n' in messageKey ? messageKey.n : 0,
    notification: 'n' in messageKey ? `notification ${messageKey.n}` : '',
  }[messageKey.type];
  return { event_type: STEP_METADATA, event_payload: { request: id, step } };
}

/** The card and the approval message keep their places after they are gone. */
function locationOf(record: RequestRecord, messageKey: MessageKey): Location | undefined {
  if (messageKey.type === 'card') return record.card.location;
  if (messageKey.type === 'approval_message') return record.approval?.approvalMessage?.location;
  const delivery = deliveryOf(record, messageKey);
  return delivery?.status === 'posted' ? { channel: delivery.channel, ts: delivery.ts } : undefined;
}

/** External users must not see a request for approval: the channel may have been shared meanwhile. */
function channelProblem(directory: Directory, { workspace, approval }: RequestRecord) {
  const look: Directory['channel'] = (of, id) => directory.channelNow(of, id, CHANNEL_MAX_AGE_MS);
  return approvalsChannelProblem({ channel: look }, workspace, approval?.policy.channel);
}

type SlackOutsideEffect = Exclude<OutsideEffect, { type: 'call' }>;

/** The name of an effect in the queues of the rate limits. */
export function callerOfEffect(
  { id }: Pick<RequestRecord, 'id'>,
  effect: Pick<SlackOutsideEffect, 'type'> & { messageKey?: MessageKey },
): string {
  if (effect.type === 'confirm_votes') return callerOfConfirmation(id);
  const { messageKey } = effect;
  const n = messageKey && 'n' in messageKey ? messageKey.n : '';
  return [id, effect.type, messageKey?.type, n].join(' ');
}

/** An effect of a request as the rate limits see it, before it is claimed. */
export function limitedEffect(record: RequestRecord, effect: SlackOutsideEffect): LimitedEffect {
  if (effect.type === 'confirm_votes') return limitedConfirmation(record);
  const to = effect.type === 'tidy' ? effect.to : undefined;
  return limitedMessageEffect(addressed(record, effect.messageKey), effect.type, to);
}
