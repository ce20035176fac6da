/** Steps of tests about a token that the order service no longer accepts. */
import { expect } from 'vitest';
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import { SEED } from '../../../sandbox/slack/world/seed/seed.ts';
import type { Harness } from './harness.ts';

/** Makes the order service forget all tokens of the organization that were issued so far. */
export function killTokens({ service }: Harness): void {
  service.organization().tokens.splice(0);
}

export const cancellations = ({ service }: Harness): number =>
  service.calls({ operation: 'cancel_order' }).length;

const DEAD = 'no longer accepts this workspace';

/** Counts the notices about the token, for each person. */
export function countNotices({ slack }: Harness, ...names: string[]): Record<string, number> {
  const about = (name: string) =>
    slack
      .person(name)
      .directMessages()
      .filter(({ text }) => text.includes(DEAD)).length;
  return Object.fromEntries(names.map((name) => [name, about(name)]));
}

/** Resolves once somebody has been notified. */
export const waitForNotice = ({ slack }: Harness, name: string) =>
  slack.person(name).waitForDirectMessage(({ text }) => text.includes(DEAD));

/** Resolves once each notice is recorded as posted, so that the bot posts none of them again. */
export async function noticesPosted(harness: Harness, count: number) {
  const { storage } = await harness.terminal();
  await expect
    .poll(async () => {
      const all = await storage.notices.list(SEED.team, { limit: 20 });
      return all.map(({ delivery }) => delivery.status);
    })
    .toEqual(Array(count).fill('posted'));
}

/** Runs a command as Ana, and waits until the modal shows this text. */
export async function waitForText(harness: Harness, command: string, text: string) {
  await harness.ana.command(command, { channel: '#support' });
  return harness.ana.waitForModal({ text });
}

/** Connects again as an admin. @param token by default a new one */
export async function connectAgain(harness: Harness, token: string = harness.service.issueToken()) {
  await harness.openConnect();
  await harness.olga.submit({ token });
  await harness.olga.waitForModal({ text: 'is connected' });
  await harness.olga.closeModal();
}

export const { rest: REST, graphql: GRAPHQL } = SEED_TOKENS.acme;
