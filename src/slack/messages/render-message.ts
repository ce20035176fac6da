/** Renders a message for the people who can read its channel now. */
import type { webApi } from '@slack/bolt';
import type { RequestMessage } from '../../requests/model/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { cardOf, votedOn } from '../../requests/model/record-messages.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { CHANNEL_MAX_AGE_MS } from '../../requests/use-cases/sharing.ts';
import type { Message } from '../blocks/text.ts';
import type { Permalinks } from '../client/links.ts';
import { dependsOnReaders, forExternalUsers, render } from './content/render.ts';
import { mentionUndecided, voterNames } from './named-people.ts';
import type { Rendered } from './outgoing.ts';

/**
 * `addressesOf`: what the admins of a workspace have set about links. @throws if that can't be read. `itself`: the bot as a
 * member of channels.
 */
export type RenderDeps = {
  directory: Directory;
  addressesOf: (workspace: string) => Promise<Addresses>;
  itself: () => Promise<string>;
  permalinks: Permalinks;
};

/**
 * Renders a message, after a look at its channel if the message contains a reason or a link. The channel may have been shared
 * since the request was made, and Slack's event about that may be late or lost. A channel that can't be seen counts as
 * shared.
 *
 * @param effect what is known of the channel may be a little old for an update, and only a post mentions people
 * @throws if Slack can't be asked
 */
export async function renderMessage(
  { directory, addressesOf, itself, permalinks }: RenderDeps,
  { record, message, effect }: { record: RequestRecord; message: RequestMessage; effect: 'post' | 'update' },
  client: webApi.WebClient,
): Promise<Rendered> {
  const isNew = effect === 'post';
  const given = {
    link: await linkFor({ client, permalinks }, record, message),
    people: await voterNames(directory, record, message),
    approvers: isNew ? await mentionUndecided(directory, record, message, itself) : undefined,
  };
  const addresses = LINKING.has(message.type) ? await addressesOf(record.workspace) : undefined;
  if (!dependsOnReaders(record, message, addresses)) return written(render(record, message, given));
  const id = message.type === 'approval' ? record.approval?.policy.channel : record.channel;
  const maxAgeMs = isNew ? undefined : CHANNEL_MAX_AGE_MS;
  const channel = await directory.channelNow(record.workspace, id ?? '', maxAgeMs);
  if (channel && !channel.isShared) return written(render(record, message, { ...given, addresses }));
  const guarded = render(forExternalUsers(record, message), message, given);
  return written(guarded, message.type !== 'approval' && channel?.isShared === true);
}

/** The messages that link the order or offer and the ticket. */
const LINKING: ReadonlySet<RequestMessage['type']> = new Set(['card', 'approval']);

function written(message: Message, inSharedChannel = false): Rendered {
  return { type: 'written', message, seen: inSharedChannel ? { inSharedChannel } : {} };
}

/**
 * Returns a link to the card for the approval message, and to the message that counts for somebody who voted on a second
 * copy. The link is optional: undefined if Slack does not provide it.
 */
async function linkFor(
  { client, permalinks }: { client: webApi.WebClient; permalinks: Permalinks },
  record: RequestRecord,
  message: RequestMessage,
) {
  const place = linkedTo(record, message)?.location;
  return place && permalinks(client, record.workspace, place);
}

function linkedTo(record: RequestRecord, { type }: RequestMessage): RequestMessage | undefined {
  if (type === 'approval') return cardOf(record);
  return type === 'misplaced_vote' ? votedOn(record) : undefined;
}
