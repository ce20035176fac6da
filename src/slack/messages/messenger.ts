/** The core's messenger, over Slack: the messages about a request, and the votes on them. */

import type { CopiesPlace, Destination } from '../../outbox/delivery.ts';
import type { OutsideEffect } from '../../requests/engine/effects.ts';
import type { RequestMessage } from '../../requests/model/message.ts';
import { fieldsOf, type RequestRecord } from '../../requests/model/record.ts';
import { cardOf, messageNamed } from '../../requests/model/record-messages.ts';
import { placeOfNote, threadUnder } from '../../requests/model/record-notes.ts';
import type { Messenger } from '../../requests/ports/messenger.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import { approvalsChannelProblem } from '../../requests/use-cases/approvals/approvers.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import { STEP_METADATA } from '../blocks/ids.ts';
import type { LimitedEffect } from '../client/rate-limits.ts';
import type { SlackDirectory } from '../directory/directory.ts';
import { namedProblem, type SlackCalls } from './call-slack.ts';
import { postMessage, updateMessage } from './deliver.ts';
import { findMessage } from './find-message.ts';
import {
  type Location,
  limitedMessageEffect,
  type Marker,
  type OutgoingMessage,
  type Place,
} from './outgoing.ts';
import { callerOfConfirmation, createVoteReading, limitedConfirmation } from './read-votes.ts';
import { type RenderDeps, renderMessage } from './render-message.ts';
import { tidyCopies } from './tidy-messages.ts';

type MessengerDeps = SlackCalls & Pick<RenderDeps, 'addressesOf' | 'permalinks'>;

export function createMessenger(deps: MessengerDeps, directory: SlackDirectory): Messenger {
  const { addressesOf, permalinks } = deps;
  const outgoing = (record: RequestRecord, messageKey: string): OutgoingMessage => {
    const message = messageNamed(record, messageKey);
    const isApproval = message.type === 'approval';
    return {
      ...addressed(record, messageKey),
      about: fieldsOf(record),
      to: message.type === 'reply' ? message.to : undefined,
      marker: markerOf(record, messageKey),
      delivery: message.delivery,
      location: message.location,
      createdAt: record.createdAt,
      async render(client, effect) {
        const problem = isApproval && effect === 'post' ? await channelProblem(directory, record) : undefined;
        if (problem) return { type: 'hidden', code: problem };
        const itself = async () => (await deps.clients.installation(record.workspace)).botUserId;
        return renderMessage(
          { directory, addressesOf, itself, permalinks },
          { record, message, effect },
          client,
        );
      },
      named: (refused) => (isApproval ? namedProblem(refused) : refused),
    };
  };
  return {
    post: (record, messageKey, guard) => postMessage(deps, outgoing(record, messageKey), guard),
    update: (record, messageKey, guard) => updateMessage(deps, outgoing(record, messageKey), guard),
    find: (record, messageKey, guard) => findMessage(deps, outgoing(record, messageKey), guard),
    tidy: (record, { messageKey, ...copies }: { messageKey: string } & CopiesPlace, guard) =>
      tidyCopies(deps, outgoing(record, messageKey), copies, guard),
    ...createVoteReading(deps, directory),
  };
}

const addressed = (
  record: RequestRecord,
  messageKey: string,
): Pick<OutgoingMessage, 'workspace' | 'callerOf' | 'placeOf'> => ({
  workspace: record.workspace,
  callerOf: (type) => callerOfEffect(record, { type, messageKey }),
  placeOf: (to) => placeOf(record, messageNamed(record, messageKey), to),
});

function placeOf(record: RequestRecord, message: RequestMessage, went: Destination | undefined): Place {
  const { requester, channel, thread, approval } = record;
  switch (message.type) {
    case 'card':
      return thread === undefined ? { channel } : { under: { channel, ts: thread }, instead: requester };
    case 'approval':
      return { channel: approval?.policy.channel ?? '' };
    case 'reply': {
      const to = went ?? message.to;
      if (to === 'channel') return { channel };
      const isInThread = to === 'thread';
      return isInThread
        ? { under: parentOf(record, cardOf(record)), instead: requester }
        : { person: requester };
    }
    default: {
      const place = placeOfNote(record, message);
      return 'under' in place ? { under: parentOf(record, place.under), instead: requester } : place;
    }
  }
}

/** The message in whose thread a reply to a message stands. */
function parentOf(record: RequestRecord, message: RequestMessage): Location | undefined {
  const { location } = message;
  const ts = threadUnder(record, message);
  return location && ts ? { channel: location.channel, ts } : undefined;
}

export const markerOf = ({ id }: Pick<RequestRecord, 'id'>, messageKey: string): Marker => ({
  event_type: STEP_METADATA,
  event_payload: { request: id, message: messageKey },
});

/** External users must not see a request for approval: the channel may have been shared meanwhile. */
function channelProblem(directory: Directory, { workspace, approval }: RequestRecord) {
  const look: Directory['channel'] = (of, id) => directory.channelNow(of, id, CHANNEL_MAX_AGE_MS);
  return approvalsChannelProblem({ channel: look }, workspace, approval?.policy.channel);
}

type SlackOutsideEffect = Exclude<OutsideEffect, { type: 'call' }>;

/** The name of an effect in the queues of the rate limits. */
export function callerOfEffect(
  { id }: Pick<RequestRecord, 'id'>,
  effect: Pick<SlackOutsideEffect, 'type'> & { messageKey?: string },
): string {
  if (effect.type === 'confirm_votes') return callerOfConfirmation(id);
  return [id, effect.type, effect.messageKey].join(' ');
}

/** An effect of a request as the rate limits see it, before it is claimed. */
export function limitedEffect(record: RequestRecord, effect: SlackOutsideEffect): LimitedEffect {
  if (effect.type === 'confirm_votes') return limitedConfirmation(record);
  const to = effect.type === 'tidy' ? effect.to : undefined;
  return limitedMessageEffect(addressed(record, effect.messageKey), effect.type, to);
}
