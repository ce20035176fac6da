/** A channel that is shared with another company, for end-to-end tests. */
import { expect } from 'vitest';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import { cardOf as cardIn } from '../../../src/requests/model/record-messages.ts';
import { recordOf, startApprovals } from './approvals.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';

/** Words that occur nowhere else. */
export const REQUEST_REASON = 'Zanzibar ordered it for a surprise';

export const DECLINE_REASON = 'Because of the quarrel in May';

export const { support, approvals } = SEED.channels;

export const { otherTeam, team } = SEED;

export const gusOf = ({ slack }: Harness) => slack.person('gus');

/** Shares a channel with Globex, and invites Gus of Globex into it. */
export function share({ slack }: Pick<Harness, 'slack'>, channel: string = support) {
  slack.admin.share(channel, otherTeam);
  slack.admin.invite(channel, SEED.users.gus);
}

export async function allow(harness: Harness) {
  const { settings } = await harness.terminal();
  await settings.change(team, { sharedChannels: true });
}

/** Starts a bot in a shared channel in which requests may be posted; approval is needed if a policy is given. */
export async function startShared(policy?: Partial<Policy>, options: HarnessOptions = {}) {
  const harness = policy ? await startApprovals(policy, options) : await startHarness(options);
  await allow(harness);
  share(harness);
  return {
    ...harness,
    gus: gusOf(harness),
    cara: harness.slack.person('cara'),
    dev: harness.slack.person('dev'),
  };
}

export const cancelOrder = (harness: Harness, order: string) =>
  harness.cancelOrder(order, { reason: REQUEST_REASON });

/** Everything that people of another company can read in a channel now: its messages, and those that only Gus sees. */
export function theirs(harness: Harness, channel: string = support): string {
  const gus = gusOf(harness);
  const messages = [...(harness.slack.world.channels.get(channel)?.messages.values() ?? [])];
  return JSON.stringify([messages, gus.ephemerals(), gus.modal() ?? null]);
}

/** Everything that was ever sent to a channel. */
export function everSent({ journal }: Harness, channel: string = support): string {
  const calls = journal.entries({ kind: 'web_api' }).filter(({ name }) => name.startsWith('chat.'));
  return JSON.stringify(calls.filter(({ request }) => JSON.stringify(request).includes(channel)));
}

export function holdsNoReason(...texts: string[]) {
  for (const text of texts) {
    expect(text).not.toContain(REQUEST_REASON);
    expect(text).not.toContain(DECLINE_REASON);
  }
}

/** The card, once the record has its location. */
export async function cardOf(harness: Harness, order: string): Promise<Message> {
  const { storage } = await harness.terminal();
  await expect
    .poll(async () => cardIn(await recordOf(storage, order)).location, { interval: 2 })
    .toBeDefined();
  return harness.card(order);
}

export const shows = (harness: Harness, { channel, ts }: Message, matches: (shown: string) => boolean) =>
  harness.slack.waitForMessage(
    (message) => message.channel === channel && message.ts === ts && matches(JSON.stringify(message)),
  );

export const status = async (harness: Harness, order: string, who = harness.ana) => {
  await who.command(`/countermand status ${order}`, { channel: '#support' });
  const { blocks } = await who.waitForEphemeral(({ text }) => text.includes(order));
  return JSON.stringify(blocks);
};
