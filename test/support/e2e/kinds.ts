/** The three kinds of request as people see them, for tests of each kind. */
import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { Harness } from './harness.ts';

/** `target`: one that the seeded order service accepts at once. */
export const KINDS = [
  {
    command: '/cancel-order',
    operation: 'cancel_order',
    deed: 'Cancel order',
    noun: 'order',
    target: 'A-1001',
    done: 'is cancelled',
    undone: 'is not cancelled',
  },
  {
    command: '/send-offer',
    operation: 'send_offer',
    deed: 'Send offer',
    noun: 'offer',
    target: 'O-3001',
    done: 'is sent to the customer',
    undone: 'is not sent',
  },
  {
    command: '/cancel-offer',
    operation: 'cancel_offer',
    deed: 'Cancel offer',
    noun: 'offer',
    target: 'O-3001',
    done: 'is cancelled',
    undone: 'is not cancelled',
  },
] as const;

export type KindOfRequest = Omit<(typeof KINDS)[number], 'target'> & { target: string };

type In = { who?: Person; channel?: string; target?: string };

/** Opens the form, filled in as far as its kind wants it. */
export async function openForm(
  harness: Harness,
  { command, ...kind }: KindOfRequest,
  { who = harness.ana, channel = '#support', target = kind.target }: In = {},
) {
  await who.command(`${command} ${target} Ordered twice`, { channel });
  return who.waitForModal();
}

/** Submits a request as a person does: command, form, submit. */
export async function submitRequest(harness: Harness, kind: KindOfRequest, given: In = {}) {
  await openForm(harness, kind, given);
  return (given.who ?? harness.ana).submit();
}

export function cardOf(
  harness: Harness,
  { deed, ...kind }: KindOfRequest,
  { target = kind.target, channel = '#support' }: In = {},
) {
  return harness.slack.waitForMessage({ channel, text: `${deed} ${target}` });
}

/** Resolves with the reply in the thread of the card that has this text. */
export async function replyTo(harness: Harness, kind: KindOfRequest, text: RegExp, given: In = {}) {
  const { channel, ts } = await cardOf(harness, kind, given);
  return harness.slack.waitForMessage({ channel, thread_ts: ts, text });
}
