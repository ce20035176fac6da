/** The order service as it is in a play: an organization for each desk, and the events that it owes. */
import type { PreparedEvent } from '../../../sandbox/order-service/deliveries.ts';
import type { EventStream } from '../../../sandbox/order-service/events.ts';
import { createOrganization, type Organization } from '../../../sandbox/order-service/world/organizations.ts';
import { DESKS, type Desk } from './slack-side.ts';

export type ServiceSide = {
  organizations: Map<string, Organization>;
  events: EventStream;
  now: () => number;
};

export const firstToken = (desk: Desk): string => `token-of-${desk}-1`;

/** Some orders are cancelled at once and some reviewed; offers can be sent and cancelled. */
export const orderOf = (desk: Desk, n: number): string => `${desk}-order-${n}`;
export const offerOf = (desk: Desk, n: number): string => `${desk}-offer-${n}`;
const ITEMS = 4;

/** @param onEvent told of each event that the service has to announce */
export function createServiceSide(
  now: () => number,
  onEvent: (organization: Organization, event: PreparedEvent) => void,
): ServiceSide {
  const organizations = new Map(DESKS.map((desk) => [desk, organizationOf(desk)]));
  const events: EventStream = {
    emit(organization, event) {
      onEvent(organization, event);
      return { event, deliveries: [], settled: Promise.resolve() };
    },
    pause() {},
    resume: () => [],
    takeKept: () => [],
  };
  return { organizations, events, now };
}

function organizationOf(desk: Desk): Organization {
  const organization = createOrganization(desk, desk);
  organization.tokens.push({ token: firstToken(desk), kind: 'rest' });
  organization.subBrands.push({ id: `${desk}-brand`, name: desk });
  for (let n = 1; n <= ITEMS; n++) {
    const [order, offer] = [orderOf(desk, n), offerOf(desk, n)];
    organization.orders.set(order, { id: order, poNumber: null, reviewed: n % 2 === 0 });
    organization.offers.set(offer, { id: offer, status: 'pending' });
  }
  return organization;
}
