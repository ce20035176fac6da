/**
 * Creates links to messages: Slack is asked for a link that stands alone, and the links in a list of requests are built here. A
 * link is optional: if Slack does not provide it in time, there is none.
 */
import type { webApi } from '@slack/bolt';
import { createCache } from '../../cache.ts';
import type { Log } from '../../outbox/ports.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import { cardOf } from '../../requests/model/record-messages.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import type { SlackClients } from './clients.ts';

export type Links = { toCard(record: RequestRecord): Promise<string | undefined> };

/** The most links that are kept: more than are needed at the same time. */
const MOST_LINKS = 10_000;

/** Asks for the link to a message. @returns undefined: Slack did not provide it */
export type Permalinks = (
  client: webApi.WebClient,
  workspace: string,
  place: { channel: string; ts: string },
) => Promise<string | undefined>;

/** Asks Slack for each link once. Links are kept by channel and timestamp: a message that is posted anew has another link. */
export function createPermalinks(): Permalinks {
  const kept = createCache<string>(MOST_LINKS);
  return async (client, workspace, { channel, ts }) => {
    const name = [workspace, channel, ts].join(' ');
    const known = kept.get(name);
    if (known) return known;
    const asked = client.chat.getPermalink({ channel, message_ts: ts });
    const { permalink } = await asked.catch(() => ({ permalink: undefined }));
    if (permalink) kept.set(name, permalink);
    return permalink;
  };
}

export function createLinks(clients: SlackClients, permalinks: Permalinks): Links {
  return {
    async toCard(record) {
      const { delivery } = cardOf(record);
      if (delivery.status !== 'posted') return undefined;
      const { workspace } = record;
      const client = await clients.interactive(workspace).catch(() => undefined);
      return client && permalinks(client, workspace, delivery);
    },
  };
}

type Place = { channel: string; ts: string; thread: string };

/** The message that a request is made from: the card goes to its thread. @param domain of the workspace, if Slack named it */
export function originIn(domain: string | undefined, place: Place) {
  const origin = `https://${domain ? `${encodeURIComponent(domain)}.` : ''}slack.com`;
  return { channel: place.channel, thread: place.thread, link: messageAddress(origin, place) };
}

/**
 * Builds Slack's own address of a message. chat.getPermalink would be one more call, and would need the bot to be a member.
 *
 * @param origin of the workspace: "https://acme.slack.com" @param place `thread`: its parent, which may be the message itself
 */
function messageAddress(origin: string, { channel, ts, thread }: Place): string {
  const inThread =
    thread === ts ? '' : `?thread_ts=${encodeURIComponent(thread)}&cid=${encodeURIComponent(channel)}`;
  return `${origin}/archives/${encodeURIComponent(channel)}/p${ts.replace('.', '')}${inThread}`;
}

/**
 * The links in a list of requests. `linkTo`: the address of a request's card; undefined if the card is not posted, or the address
 * of the workspace is not known. `addresses`: of orders and offers, as admins have set them.
 */
export type Linking = {
  linkTo: (record: RequestRecord) => string | undefined;
  addresses?: Addresses | undefined;
};

type LinkingDeps = {
  aboutWorkspace: (workspace: string) => Promise<{ origin: string | undefined }>;
  settings: (workspace: string) => Promise<Addresses>;
  log: Log;
};

/** Prepares the links in the lists of a workspace. @throws if the settings can't be read */
export async function linkingOf(
  { aboutWorkspace, settings, log }: LinkingDeps,
  workspace: string,
): Promise<Linking> {
  const [addresses, about] = await Promise.all([
    settings(workspace),
    aboutWorkspace(workspace).catch((err) =>
      log.warn({ err, workspace }, 'address of the workspace unknown'),
    ),
  ]);
  return {
    addresses,
    linkTo(record) {
      const { delivery } = cardOf(record);
      if (!about?.origin || delivery.status !== 'posted') return undefined;
      const { channel, ts } = delivery;
      return messageAddress(about.origin, { channel, ts, thread: record.thread ?? ts });
    },
  };
}
