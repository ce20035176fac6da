import { onTestFinished } from 'vitest';
import { createFeed } from '../../lib/feed.ts';
import type { Journal } from '../../lib/http/journal.ts';
import type { AppMenu } from '../../lib/manifest.ts';
import { waitUntil } from '../../lib/wait-until.ts';
import { startOrderService } from '../../order-service/start.ts';
import { SEED_TOKENS } from '../../order-service/world/seed.ts';
import { startPage } from '../../page/server/server.ts';
import type { Sight } from '../../page/view-model/sight.ts';
import type { SlackOptions } from '../../slack/options.ts';
import { SEED } from '../../slack/world/seed/seed.ts';
import { openSlackDesk } from '../support/slack-desk.ts';
import { follow } from './follow.ts';

export const MENU: AppMenu = {
  commands: [{ command: '/cancel-order', description: 'Cancel an order', usage_hint: '[order]' }],
  shortcuts: [{ callback_id: 'ask', name: 'Ask', type: 'global', description: 'Ask for something' }],
};
export const CODE = 'document.title = "A page";';

type SeededPerson = keyof typeof SEED.users;

/** A page over a Slack and an order service, with a bot that listens, and the ways of a browser to it. */
export async function openPageDesk({
  transport = 'http',
  slack: options = {},
  installUrl,
}: {
  transport?: 'http' | 'socket';
  slack?: Partial<SlackOptions>;
  installUrl?: string;
} = {}) {
  const desk = await openSlackDesk(options);
  const { slack, journal } = desk;
  const service = await startOrderService({ journal, eventRetryDelaysMs: [1] });
  onTestFinished(service.close);
  const { watched, ...watching } = watchedJournal(journal);
  const page = await startPage({
    journal: watched,
    slack,
    service,
    transport,
    installUrl,
    menu: MENU,
    code: CODE,
  });
  onTestFinished(page.close);

  const workspace = (as: SeededPerson, conversation = '') =>
    follow(`${page.origin}/live/workspace?${new URLSearchParams({ as: SEED.users[as], conversation })}`);

  const backstage = (lastEventId?: string) => follow(`${page.origin}/live/backstage`, lastEventId);

  /** What a person sees who comes by, opens a conversation and leaves. */
  async function see(as: SeededPerson, conversation?: string): Promise<Sight> {
    const before = watching.watchers();
    const stream = await workspace(as, conversation);
    const { data } = await stream.next<Sight>('sight');
    stream.leave();
    // What is open counts as read until the page knows that its browser has left.
    await watching.unwatched(before);
    return data;
  }

  /** Calls a control API through the page. */
  async function control(method: string, path: string, body?: object) {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(page.origin + path, init);
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  /** Asks the order service to cancel an order, as the bot does. */
  const cancel = (orderId: string, init: RequestInit & { token?: string } = {}) =>
    fetch(`${service.url}/orders/${orderId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${init.token ?? SEED_TOKENS.acme.rest}` },
      body: '{"reason":"Late"}',
      ...init,
    });

  return { ...desk, ...watching, service, page, workspace, backstage, see, control, cancel };
}

/** A journal that knows how many streams watch it, and when they have left. */
function watchedJournal(journal: Journal) {
  const departures = createFeed<undefined>();
  let count = 0;
  const watched: Journal = {
    ...journal,
    onBegin: (listener) => {
      count += 1;
      const end = journal.onBegin(listener);
      return () => {
        count -= 1;
        end();
        departures.publish(undefined);
      };
    },
  };
  return {
    watched,
    watchers: () => count,
    /** Resolves once no more than so many streams are left. */
    unwatched: (most: number) =>
      waitUntil(departures, () => (count <= most ? true : undefined), { awaited: 'departure' }),
  };
}

/** The messages that a person sees in what they have open. */
export const messagesOf = ({ open }: Sight) => open?.messages ?? [];

/** How a conversation stands in the sidebar. */
export function listed({ conversations }: Sight, id: string) {
  const found = conversations.find((each) => each.id === id);
  if (!found) throw new Error(`${id} is not in the sidebar`);
  return found;
}
