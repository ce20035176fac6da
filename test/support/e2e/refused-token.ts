/** A desk whose token the order service stops to accept. */
import { SEED_TOKENS } from '../../../sandbox/order-service/world/seed.ts';
import type { Desk } from './harness.ts';

/** From now on the order service knows no token of the organization, but those that are issued later. */
export function killTokens({ service }: Desk): void {
  service.organization().tokens.splice(0);
}

export const cancellations = ({ service }: Desk): number =>
  service.calls({ operation: 'cancel_order' }).length;

const DEAD = 'no longer accepts this workspace';

/** What admins are told, by whom it is read. */
export function told({ slack }: Desk, ...names: string[]): Record<string, number> {
  const about = (name: string) =>
    slack
      .person(name)
      .directMessages()
      .filter(({ text }) => text.includes(DEAD)).length;
  return Object.fromEntries(names.map((name) => [name, about(name)]));
}

/** Once somebody reads it. */
export const hears = ({ slack }: Desk, name: string) =>
  slack.person(name).waitForDirectMessage(({ text }) => text.includes(DEAD));

/** What somebody reads who runs a command. */
export async function reads(desk: Desk, command: string, text: string) {
  await desk.ana.command(command, { channel: '#support' });
  return desk.ana.waitForModal(({ view }) => JSON.stringify(view).includes(text));
}

/** An admin connects again. @param token left out: a new one */
export async function connectAgain(desk: Desk, token: string = desk.service.issueToken()) {
  await desk.openConnect();
  await desk.olga.submit({ token });
  await desk.olga.waitForModal(({ view }) => JSON.stringify(view).includes('is connected'));
  await desk.olga.closeModal();
}

export const { rest: REST, graphql: GRAPHQL } = SEED_TOKENS.acme;
