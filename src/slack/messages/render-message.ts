/** Renders a message for the people who can read its channel now. */
import type { webApi } from '@slack/bolt';
import { counted } from '../../requests/model/approvals/votes.ts';
import { cardOf, stepNamed, votedOn } from '../../requests/model/facts/messages.ts';
import type { RequestMessage } from '../../requests/model/message.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Directory } from '../../requests/ports/ports.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { escaped, listed, type Message, mention, type NamePeople } from '../blocks/text.ts';
import { dependsOnReaders, forExternalUsers, render } from './content/render.ts';
import type { Rendered } from './outgoing.ts';

/** `addressesOf`: what the admins of a workspace have set about links. @throws if that can't be read */
export type RenderDeps = { directory: Directory; addressesOf: (workspace: string) => Promise<Addresses> };

/**
 * Renders a message, after a look at its channel if the message contains a reason or a link. The channel may have been shared
 * since the request was made, and Slack's event about that may be late or lost. A channel that can't be seen counts as
 * shared.
 *
 * @param maxAgeMs the maximum age of what is known of the channel; undefined: it is read now
 * @throws if Slack can't be asked
 */
export async function renderMessage(
  client: webApi.WebClient,
  { directory, addressesOf }: RenderDeps,
  record: RequestRecord,
  message: RequestMessage,
  maxAgeMs?: number,
): Promise<Rendered> {
  const given = {
    link: await linkFor(client, record, message),
    people: await voterNames(directory, record, message),
  };
  const addresses = LINKING.has(message.type) ? await addressesOf(record.workspace) : undefined;
  if (!dependsOnReaders(record, message, addresses)) return written(render(record, message, given));
  const id = message.type === 'approval' ? record.approval?.policy.channel : record.channel;
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
async function linkFor(client: webApi.WebClient, record: RequestRecord, message: RequestMessage) {
  const of = linkedTo(record, message);
  const place = of?.location;
  if (!place) return undefined;
  const asked = client.chat.getPermalink({ channel: place.channel, message_ts: place.ts });
  return (await asked.catch(() => ({ permalink: undefined }))).permalink;
}

function linkedTo(record: RequestRecord, { type }: RequestMessage): RequestMessage | undefined {
  if (type === 'approval') return cardOf(record);
  return type === 'misplaced_vote' ? votedOn(record) : undefined;
}

/** Returns the names of voters. A mention in a new message would notify them of their own vote. */
async function voterNames(
  directory: Pick<Directory, 'person'>,
  record: RequestRecord,
  message: RequestMessage,
): Promise<NamePeople> {
  const names = new Map<string, string>();
  for (const voter of namesVoters(record, message) ? votersOf(record) : []) {
    names.set(voter, await nameOf(directory, record.workspace, voter));
  }
  return (users) => listed(users.map((user) => names.get(user) ?? mention(user)));
}

/** Whether a message names voters; the directory is read only for those that do. */
function namesVoters(record: RequestRecord, message: RequestMessage): boolean {
  if (message.type !== 'reply') return NAMING.has(message.type);
  const { cause, state } = stepNamed(record, message.step);
  return cause.type === 'decision' || state === 'expired';
}

const NAMING: ReadonlySet<RequestMessage['type']> = new Set([
  'reminder',
  'approval_requested_again',
  'reason',
]);

function votersOf({ approval }: RequestRecord): Set<string> {
  if (!approval) return new Set();
  return new Set([...counted(approval).map(({ by }) => by), ...(approval.decision?.by ?? [])]);
}

/** The name is optional: if Slack does not provide it, the message is posted without. */
async function nameOf(
  directory: Pick<Directory, 'person'>,
  workspace: string,
  user: string,
): Promise<string> {
  const person = await directory.person(workspace, user).catch(() => undefined);
  return escaped(person?.name ?? 'an approver');
}
