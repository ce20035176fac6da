/** The scenes of the demo in which Ana makes a request, each with the replies that must follow in its thread. */
import type { Sandbox } from '../start.ts';
import { threadOnceCardSays } from './approvals.ts';

type Scene = {
  title: string;
  command: '/cancel-order' | '/send-offer';
  target: string;
  /** Prepares the special condition of this scene, before the request is made. */
  prepare?(sandbox: Sandbox): unknown;
  /** The expected replies in the thread, in order, and the action that leads to each. */
  replies: { text: RegExp; before?(sandbox: Sandbox, card: { channel: string; ts: string }): unknown }[];
  /** The state that the card names in the end. */
  card: string;
};

export const SCENES: Scene[] = [
  {
    title: 'The order service cancels the order after a review',
    command: '/cancel-order',
    target: 'A-2001',
    replies: [
      { text: /accepted the request and is reviewing it/ },
      { text: /confirmed it after a review/, before: ({ service }) => service.approve('A-2001') },
    ],
    card: 'Cancelled',
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
  },
  {
    title: 'An offer is sent to the customer',
    command: '/send-offer',
    target: 'O-3001',
    replies: [{ text: /Offer O-3001 is sent to the customer/ }],
    card: 'Sent',
  },
];

const ACTIONS = { '/cancel-order': 'Cancel order', '/send-offer': 'Send offer' };

/**
 * Plays a scene: Ana makes the request, and the replies follow.
 * @returns the thread as a person reads it
 * @throws if a reply is missing
 */
export async function play(
  sandbox: Sandbox,
  { command, target, prepare, replies, card: state }: Scene,
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
  const said = slack.thread('#support', card.ts).length - 1;
  if (said !== replies.length) throw new Error(`${said} replies instead of ${replies.length}`);
  const made = service.calls({ orderId: target }).length;
  if (made !== 1) throw new Error(`${made} calls at the service instead of one`);
  return threadOnceCardSays(sandbox, title, state);
}
