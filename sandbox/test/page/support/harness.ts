import { onTestFinished } from 'vitest';
import { createFeed, waitUntil } from '../../../lib/feed.ts';
import type { Journal } from '../../../lib/http/journal.ts';
import type { AppMenu } from '../../../lib/manifest.ts';
import { startOrderService } from '../../../order-service/start.ts';
import { SEED_TOKENS } from '../../../order-service/world/seed.ts';
import { startPage } from '../../../page/server/server.ts';
import type { WorkspaceViewModel } from '../../../page/view-model/workspace.ts';
import type { SlackOptions } from '../../../slack/options.ts';
import { SEED } from '../../../slack/world/seed/seed.ts';
import { openSlackHarness } from '../../support/slack-harness.ts';
import { testWith } from '../../support/test-with.ts';
import { follow } from './follow.ts';

export const MENU: AppMenu = {
  commands: [{ command: '/cancel-order', description: 'Cancel an order', usage_hint: '[order]' }],
  shortcuts: [{ callback_id: 'ask', name: 'Ask', type: 'global', description: 'Ask for something' }],
};
export const CODE = 'document.title = "A page";';

type SeededPerson = keyof typeof SEED.users;

/** Opens a harness: a page over a Slack and an order service, with a listening bot, and a browser's ways to the page. */
export async function openPageHarness({
  transport = 'http',
  slack: options = {},
  installUrl,
}: {
  transport?: 'http' | 'socket';
  slack?: Partial<SlackOptions>;
  installUrl?: string;
} = {}) {
  const harness = await openSlackHarness(options);
  const { slack, journal } = harness;
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

  const inspector = () => follow(`${page.origin}/live/inspector`);

  /** Returns the workspace as a person sees it who opens a conversation and leaves. */
  async function see(as: SeededPerson, conversation?: string): Promise<WorkspaceViewModel> {
    const before = watching.watchers();
    const stream = await workspace(as, conversation);
    const { data } = await stream.next<WorkspaceViewModel>('workspace');
    stream.leave();
    // The open conversation counts as read until the page notices that its browser has left.
    await watching.unwatched(before);
    return data;
  }

  /** Calls a control API through the page. */
  async function control(method: string, path: string, body?: object) {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(page.origin + path, init);
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  /** Requests the cancellation of an order, as the bot does. */
  const cancel = (orderId: string, init: RequestInit & { token?: string } = {}) =>
    fetch(`${service.url}/orders/${orderId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${init.token ?? SEED_TOKENS.acme.rest}` },
      body: '{"reason":"Late"}',
      ...init,
    });

  return { ...harness, ...watching, service, page, workspace, inspector, see, control, cancel };
}

export const test = testWith(openPageHarness, [
  'see',
  'workspace',
  'inspector',
  'control',
  'page',
  'slack',
  'service',
  'bot',
  'call',
  'post',
  'cancel',
  'watchers',
  'unwatched',
]);

/** Wraps a journal to count the live views that watch it, and to wait until they have left. */
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
    /** Resolves once at most this many live views are left. */
    unwatched: (most: number) =>
      waitUntil(departures, () => (count <= most ? true : undefined), { awaited: 'departure' }),
  };
}

/** Returns the messages of the open conversation. */
export const messagesOf = ({ open }: WorkspaceViewModel) => open?.messages ?? [];

/** Returns a conversation's entry in the sidebar. */
export function listed({ conversations }: WorkspaceViewModel, id: string) {
  const found = conversations.find((each) => each.id === id);
  if (!found) throw new Error(`${id} is not in the sidebar`);
  return found;
}
