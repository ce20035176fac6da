/** Sets up the order service of a play: an organization for each team, and its events. */
import type { EventStream, PreparedEvent } from '../../../sandbox/order-service/events.ts';
import type { Organization } from '../../../sandbox/order-service/organization.ts';
import { createOrganization } from '../../../sandbox/order-service/world/organizations.ts';
import type { Plan } from '../draw/plan.ts';
import { firstToken, offerOf, orderOf, TEAMS, type Team } from '../teams.ts';

export type ServiceSide = {
  organizations: Map<string, Organization>;
  events: EventStream;
  now: () => number;
  /** Whether a repeated request is answered like the one that is under review, and not refused. */
  answersAgain: boolean;
};

/** The URL and the secret for a team's events, as its admin has entered them at the service. */
export type Subscription = { url: string; secret: string };

const ORDERS = 4;

/** @param onEvent called with each event that the service sends */
export function createServiceSide(
  { orders = ORDERS, answersAgain = false }: Pick<Plan, 'orders' | 'answersAgain'>,
  now: () => number,
  onEvent: (organization: Organization, event: PreparedEvent) => void,
): ServiceSide {
  const organizations = new Map(TEAMS.map((team) => [team, organizationOf(team, orders)]));
  const events: EventStream = {
    emit(organization, event) {
      onEvent(organization, event);
      return { event, deliveries: [], settled: Promise.resolve() };
    },
    pause() {},
    resume: () => [],
    takeKept: () => [],
  };
  return { organizations, events, now, answersAgain };
}

function organizationOf(team: Team, orders: number): Organization {
  const organization = createOrganization(team, team);
  organization.tokens.push({ token: firstToken(team), kind: 'rest' });
  organization.subBrands.push({ id: `${team}-brand`, name: team });
  for (let n = 1; n <= orders; n++) {
    const [order, offer] = [orderOf(n), offerOf(n)];
    // Cancelling an order with an odd number takes effect at once; the others are reviewed.
    organization.orders.set(order, { id: order, poNumber: null, reviewed: n % 2 === 0, requests: {} });
    organization.offers.set(offer, { id: offer, status: 'pending' });
  }
  return organization;
}
