/** The three kinds of request as people meet them, for tests that hold for each of them. */
import type { Person } from '../../../sandbox/slack/people/person.ts';
import type { Desk } from './harness.ts';

/** `target`: what the seeded order service carries out at once. */
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

/** Somebody opens the form, filled in as far as its kind wants it. */
export async function openForm(
  desk: Desk,
  { command, ...kind }: KindOfRequest,
  { who = desk.ana, channel = '#support', target = kind.target }: In = {},
) {
  await who.command(`${command} ${target} Ordered twice`, { channel });
  return who.waitForModal();
}

/** Somebody asks in one go. */
export async function askFor(desk: Desk, kind: KindOfRequest, given: In = {}) {
  await openForm(desk, kind, given);
  return (given.who ?? desk.ana).submit();
}

export function cardOf(
  desk: Desk,
  { deed, ...kind }: KindOfRequest,
  { target = kind.target, channel = '#support' }: In = {},
) {
  return desk.slack.waitForMessage({ channel, text: `${deed} ${target}` });
}

/** A reply in the thread of its card, as soon as there is one that reads so. */
export async function replyTo(desk: Desk, kind: KindOfRequest, text: RegExp, given: In = {}) {
  const { channel, ts } = await cardOf(desk, kind, given);
  return desk.slack.waitForMessage({ channel, thread_ts: ts, text });
}
