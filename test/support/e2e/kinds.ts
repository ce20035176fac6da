/** The kinds of request as people see them, for tests of each kind. */
import type { Person } from '../../../sandbox/slack/people/person.ts';
import { KINDS as TABLE } from '../seen-requests.ts';
import type { Harness } from './harness.ts';

/** Targets that the seeded order service accepts at once. */
const TARGETS = { order: 'A-1001', offer: 'O-3001' };

type Operation = keyof typeof TABLE;

export type KindOfRequest = (typeof TABLE)[Operation] & { operation: Operation; target: string };

export const kindOf = (operation: Operation): KindOfRequest => ({
  ...TABLE[operation],
  operation,
  target: TARGETS[TABLE[operation].about],
});

export const KINDS: readonly KindOfRequest[] = Object.keys(TABLE).map((name) => kindOf(name as Operation));

type In = { who?: Person; channel?: string; target?: string };

/** Opens the form by the kind's command, which fills in the target and the reason. */
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
