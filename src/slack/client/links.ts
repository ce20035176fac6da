/**
 * Builds the addresses of messages, as Slack does. chat.getPermalink would be a call for each, and would need the bot to be a
 * member. A link is optional: if Slack does not tell the address of the workspace, there is none.
 */
import type { Log } from '../../outbox/ports.ts';
import type { RequestMessage, RequestRecord } from '../../requests/model/record.ts';
import { cardOf } from '../../requests/model/record-messages.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';

/** @returns undefined if the message is not posted, or the address of the workspace is not known */
export type Links = {
  toCard(record: RequestRecord): Promise<string | undefined>;
  /** @param message the card, or a message that is the parent of its thread */
  toMessage(record: RequestRecord, message: RequestMessage): Promise<string | undefined>;
};

type LinksDeps = {
  directory: { about(workspace: string): Promise<{ origin: string | undefined }> };
  log: Log;
};

export function createLinks(deps: LinksDeps): Links {
  const toMessage: Links['toMessage'] = async (record, message) =>
    addressIn(await originOf(deps, record.workspace), record, message);
  return { toMessage, toCard: (record) => toMessage(record, cardOf(record)) };
}

/** The origin of a workspace; undefined if Slack does not tell. */
async function originOf({ directory, log }: LinksDeps, workspace: string): Promise<string | undefined> {
  const about = await directory
    .about(workspace)
    .catch((err) => log.warn({ err, workspace }, 'address of the workspace unknown'));
  return about?.origin;
}

function addressIn(
  origin: string | undefined,
  record: RequestRecord,
  { type, delivery }: RequestMessage,
): string | undefined {
  if (origin === undefined || delivery.status !== 'posted') return undefined;
  const { channel, ts } = delivery;
  const thread = type === 'card' ? record.thread : undefined;
  return messageAddress(origin, { channel, ts, thread: thread ?? ts });
}

type Place = { channel: string; ts: string; thread: string };

/** The greatest length of a link to a message. The limit is our own: Slack's names of workspaces are much shorter. */
const LINK_MAX = 255;

/** Whether a text that somebody may have forged is a link that `originIn` makes. */
export const isMessageLink = (text: string): boolean =>
  text.length <= LINK_MAX &&
  /^https:\/\/([\w.-]+\.)?slack\.com\/archives\/\w+\/p\d+(\?thread_ts=\d+\.\d+&cid=\w+)?$/.test(text);

/** The message that a request is made from: the card goes to its thread. @param domain of the workspace, if Slack named it */
export function originIn(domain: string | undefined, place: Place) {
  const origin = `https://${domain ? `${encodeURIComponent(domain)}.` : ''}slack.com`;
  return { channel: place.channel, thread: place.thread, link: messageAddress(origin, place) };
}

/** @param origin of the workspace: "https://acme.slack.com" @param place `thread`: its parent, which may be the message itself */
function messageAddress(origin: string, { channel, ts, thread }: Place): string {
  const inThread =
    thread === ts ? '' : `?thread_ts=${encodeURIComponent(thread)}&cid=${encodeURIComponent(channel)}`;
  return `${origin}/archives/${encodeURIComponent(channel)}/p${ts.replace('.', '')}${inThread}`;
}

/**
 * The links in a list of requests. `linkTo`: the address of a request's card, if there is one (`Links`). `addresses`: of orders
 * and offers, as admins have set them.
 */
export type Linking = {
  linkTo: (record: RequestRecord) => string | undefined;
  addresses?: Addresses | undefined;
};

type LinkingDeps = LinksDeps & { settings: (workspace: string) => Promise<Addresses> };

/** Prepares the links in the lists of a workspace. @throws if the settings can't be read */
export async function linkingOf(deps: LinkingDeps, workspace: string): Promise<Linking> {
  const [addresses, origin] = await Promise.all([deps.settings(workspace), originOf(deps, workspace)]);
  return { addresses, linkTo: (record) => addressIn(origin, record, cardOf(record)) };
}
