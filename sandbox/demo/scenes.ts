import type { SandboxDesk } from '../desk.ts';
import { SEED_TOKENS } from '../order-service/world/seed.ts';
import { reconnect } from './admin.ts';

/** One request, and how it must read afterwards. */
export type Scene = {
  title: string;
  command: '/cancel-order' | '/send-offer' | '/cancel-offer';
  target: string;
  /** What makes this one special, before it is asked for. */
  prepare?(desk: SandboxDesk): unknown;
  /** What is said in the thread, one after the other, and what is done first to bring it about. */
  replies: { text: RegExp; before?(desk: SandboxDesk, card: { channel: string; ts: string }): unknown }[];
  /** How often the order service is called. */
  calls: number;
};

const REVIEWING = { text: /accepted the request and is reviewing it/ };

export const SCENES: Scene[] = [
  {
    title: 'An order that was not dispatched yet is cancelled at once',
    command: '/cancel-order',
    target: 'A-1001',
    replies: [{ text: /Order A-1001 is cancelled: the order service cancelled it at once/ }],
    calls: 1,
  },
  {
    title: 'A review approves the request',
    command: '/cancel-order',
    target: 'A-2001',
    replies: [REVIEWING, { text: /the review approved/, before: ({ service }) => service.approve('A-2001') }],
    calls: 1,
  },
  {
    title: 'A review denies the request',
    command: '/cancel-order',
    target: 'A-2002',
    replies: [REVIEWING, { text: /the review denied/, before: ({ service }) => service.deny('A-2002') }],
    calls: 1,
  },
  {
    title: 'The order service refuses the request, because it knows no such order',
    command: '/cancel-order',
    target: 'A-9999',
    replies: [{ text: /refused the request\. Order A-9999 is not cancelled by this request\. Check the id/ }],
    calls: 1,
  },
  {
    title: 'No answer comes, and a person records what became of it',
    command: '/cancel-order',
    target: 'A-1002',
    prepare: ({ service }) => service.faults.order({ on: 'cancel_order', fault: { type: 'unanswered' } }),
    replies: [
      { text: /may or may not be cancelled\. It is not sent again by itself/ },
      {
        text: /is cancelled: @?.*recorded it/,
        before: async ({ slack }, card) => {
          const ana = slack.person('ana');
          await ana.click('Record the outcome', card);
          await ana.waitForModal(({ callback_id }) => callback_id === 'record_outcome');
          await ana.submit({ outcome: 'approved' });
        },
      },
    ],
    calls: 1,
  },
  {
    title: 'An offer is sent to the customer',
    command: '/send-offer',
    target: 'O-3001',
    replies: [{ text: /Offer O-3001 is sent to the customer/ }],
    calls: 1,
  },
  {
    title: 'An offer is cancelled',
    command: '/cancel-offer',
    target: 'O-3001',
    replies: [{ text: /Offer O-3001 is cancelled: the order service cancelled it/ }],
    calls: 2,
  },
  {
    title: 'An offer that is cancelled already is refused',
    command: '/cancel-offer',
    target: 'O-3002',
    replies: [{ text: /OFFER_CANCELLATION_ERROR/ }],
    calls: 1,
  },
  {
    title: 'An offer is not sent: the order service answers success: false',
    command: '/send-offer',
    target: 'O-3003',
    prepare: ({ service }) =>
      service.faults.order({
        on: 'send_offer',
        fault: { type: 'status', status: 200, body: { success: false } },
      }),
    replies: [{ text: /answered that it did not succeed\. Offer O-3003 is not sent by this request/ }],
    calls: 1,
  },
  {
    title: 'A GraphQL token is refused, and a REST token and a retry help',
    command: '/cancel-order',
    target: 'A-1003',
    prepare: (desk) => {
      const token = desk.service.issueToken({ kind: 'graphql', acceptedBy: ['get_sub_brands'] });
      return reconnect(desk, { token, token_kind: 'graphql' });
    },
    replies: [
      { text: /which is a GraphQL token/ },
      {
        text: /Order A-1003 is cancelled/,
        before: async (desk, card) => {
          await reconnect(desk, { token: SEED_TOKENS.acme.rest, token_kind: 'rest' });
          await desk.slack.person('ana').click('Retry', card, { confirm: true });
        },
      },
    ],
    calls: 2,
  },
];

const DEEDS = {
  '/cancel-order': 'Cancel order',
  '/send-offer': 'Send offer',
  '/cancel-offer': 'Cancel offer',
};

/** Ana asks, and everything takes its course; the thread as a person reads it. @throws where it does not read so */
export async function play(
  desk: SandboxDesk,
  { command, target, prepare, replies, calls }: Scene,
): Promise<string> {
  const { slack, service } = desk;
  await prepare?.(desk);
  const ana = slack.person('ana');
  await ana.command(`${command} ${target} The customer called at noon`, { channel: '#support' });
  await ana.waitForModal();
  await ana.submit(command === '/cancel-order' ? { reason_choice: 'Ordered twice' } : {});
  const card = await slack.waitForMessage({ channel: '#support', text: `${DEEDS[command]} ${target}` });
  for (const { text, before } of replies) {
    await before?.(desk, card);
    await slack.waitForMessage({ channel: '#support', thread_ts: card.ts, text });
  }
  const said = slack.thread('#support', card.ts).length - 1;
  if (said !== replies.length) throw new Error(`${said} replies instead of ${replies.length}`);
  const made = service.calls({ orderId: target }).length;
  if (made !== calls) throw new Error(`${made} calls at the service instead of ${calls}`);
  return slack.renderThread('#support', card.ts);
}
