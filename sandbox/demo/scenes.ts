/** The scenes of the demo in which Ana makes a request, each with the replies that must follow in its thread. */
import { SEED_TOKENS } from '../order-service/world/seed.ts';
import type { Sandbox } from '../start.ts';
import { reconnect, threadOnceCardSays } from './admin.ts';

type Scene = {
  title: string;
  command: '/cancel-order' | '/send-offer' | '/cancel-offer';
  target: string;
  /** Prepares the special condition of this scene, before the request is made. */
  prepare?(sandbox: Sandbox): unknown;
  /** The expected replies in the thread, in order, and the action that leads to each. */
  replies: { text: RegExp; before?(sandbox: Sandbox, card: { channel: string; ts: string }): unknown }[];
  /** The state that the card names in the end. */
  card: string;
  /** The direct message that Ana gets. */
  told?: RegExp;
  /** The number of calls about the target so far, those of earlier scenes included. */
  calls: number;
};

const REVIEWING = { text: /accepted the request and is reviewing it/ };

export const SCENES: Scene[] = [
  {
    title: 'An order that is not dispatched yet is cancelled at once',
    command: '/cancel-order',
    target: 'A-1004',
    replies: [{ text: /Order A-1004 is cancelled: the order service confirmed it at once/ }],
    card: 'Cancelled',
    calls: 1,
  },
  {
    title: 'The order service cancels the order after a review',
    command: '/cancel-order',
    target: 'A-2001',
    replies: [
      REVIEWING,
      { text: /confirmed it after a review/, before: ({ service }) => service.approve('A-2001') },
    ],
    card: 'Cancelled',
    calls: 1,
  },
  {
    title: 'The order service decides against it after a review',
    command: '/cancel-order',
    target: 'A-2002',
    replies: [
      REVIEWING,
      { text: /decided against it after a review/, before: ({ service }) => service.deny('A-2002') },
    ],
    card: 'Not cancelled',
    calls: 1,
  },
  {
    title: 'The order service refuses the request, because it knows no such order: its requester is told',
    command: '/cancel-order',
    target: 'A-9999',
    replies: [],
    told: /A-9999.*refused the request, so order A-9999 is not cancelled by this request\. Check the id/,
    card: 'Refused by the order service',
    calls: 1,
  },
  {
    title: 'No answer comes, and a person records the outcome',
    command: '/cancel-order',
    target: 'A-1002',
    prepare: ({ service }) => service.faults.schedule({ on: 'cancel_order', fault: { type: 'unanswered' } }),
    replies: [
      { text: /may or may not be cancelled, and the request is not sent again automatically/ },
      {
        text: /is cancelled: @?.*recorded it/,
        before: async (sandbox, card) => {
          await threadOnceCardSays(sandbox, 'Cancel order A-1002', 'Outcome unknown');
          const ana = sandbox.slack.person('ana');
          await ana.click('Record the outcome', card);
          await ana.waitForModal({ callback: 'record_outcome' });
          await ana.submit({ outcome: 'approved' });
        },
      },
    ],
    card: 'Cancelled',
    calls: 1,
  },
  {
    title: 'An offer is sent to the customer',
    command: '/send-offer',
    target: 'O-3001',
    replies: [{ text: /Offer O-3001 is sent to the customer/ }],
    card: 'Sent',
    calls: 1,
  },
  {
    title: 'An offer is cancelled',
    command: '/cancel-offer',
    target: 'O-3001',
    replies: [{ text: /Offer O-3001 is cancelled: the order service confirmed it/ }],
    card: 'Cancelled',
    calls: 2,
  },
  {
    title: 'An offer that is cancelled already is refused',
    command: '/cancel-offer',
    target: 'O-3002',
    replies: [{ text: /OFFER_CANCELLATION_ERROR/ }],
    card: 'Refused by the order service',
    calls: 1,
  },
  {
    title: 'An offer is not sent: the order service answers success: false',
    command: '/send-offer',
    target: 'O-3003',
    prepare: ({ service }) =>
      service.faults.schedule({
        on: 'send_offer',
        fault: { type: 'status', status: 200, body: { success: false } },
      }),
    replies: [
      { text: /answered that the request did not succeed, so offer O-3003 is not sent by this request/ },
    ],
    card: 'Refused by the order service',
    calls: 1,
  },
  {
    title: 'A GraphQL token is refused, and a REST token and a retry help',
    command: '/cancel-order',
    target: 'A-1003',
    prepare: (sandbox) => {
      const token = sandbox.service.issueToken({ kind: 'graphql', acceptedBy: ['get_sub_brands'] });
      return reconnect(sandbox, { token, token_kind: 'graphql' });
    },
    replies: [
      { text: /refused this workspace's GraphQL token/ },
      {
        text: /Ana Alvarez asked for the request to be sent again/,
        before: async (sandbox, card) => {
          await reconnect(sandbox, { token: SEED_TOKENS.acme.rest, token_kind: 'rest' });
          await threadOnceCardSays(sandbox, 'Cancel order A-1003', 'Refused by the order service');
          await sandbox.slack.person('ana').click('Retry', card);
        },
      },
      { text: /Order A-1003 is cancelled/ },
    ],
    card: 'Cancelled',
    calls: 2,
  },
];

const ACTIONS = {
  '/cancel-order': 'Cancel order',
  '/send-offer': 'Send offer',
  '/cancel-offer': 'Cancel offer',
};

/**
 * Plays a scene: Ana makes the request, and the replies follow.
 * @returns the thread as a person reads it
 * @throws if a reply is missing
 */
export async function play(
  sandbox: Sandbox,
  { command, target, prepare, replies, card: state, told, calls }: Scene,
): Promise<string> {
  const { slack, service } = sandbox;
  await prepare?.(sandbox);
  const ana = slack.person('ana');
  await ana.command(`${command} ${target} The customer called at noon`, { channel: '#support' });
  await ana.waitForModal();
  await ana.submit(command === '/cancel-order' ? { reason_choice: 'Ordered twice' } : {});
  const title = `${ACTIONS[command]} ${target}`;
  const card = await slack.waitForMessage({ channel: '#support', text: title });
  for (const { text, before } of replies) {
    await before?.(sandbox, card);
    await slack.waitForMessage({ channel: '#support', thread_ts: card.ts, text });
  }
  const direct = told && (await ana.waitForDirectMessage(({ text }) => told.test(text)));
  const said = slack.thread('#support', card.ts).length - 1;
  if (said !== replies.length) throw new Error(`${said} replies instead of ${replies.length}`);
  const made = service.calls({ orderId: target }).length;
  if (made !== calls) throw new Error(`${made} calls at the service instead of ${calls}`);
  const thread = await threadOnceCardSays(sandbox, title, state);
  return direct ? `${thread}\nTo Ana alone:\n${slack.renderThread(direct.channel, direct.ts)}` : thread;
}
