import type { Delivery } from '../../order-service/deliveries.ts';
import type { OrderService } from '../../order-service/start.ts';
import type { ApiToken, Offer, Order, Subscription } from '../../order-service/world/organizations.ts';
import type { Slack } from '../../slack/start.ts';
import { installPath } from '../server/serve-install.ts';
import { type PlaceSeen, seePlaces } from './see-workspaces.ts';
import { TROUBLES, type Trouble, type Troubles } from './troubles.ts';

/** A customer of the order service, as its own people see it. */
export type OrganizationSeen = {
  id: string;
  name: string;
  orders: Order[];
  offers: Offer[];
  /** In clear: it is from here that an admin takes the token to connect with. */
  tokens: ApiToken[];
  subscriptions: Omit<Subscription, 'secret'>[];
};

/** An event on its way to the bot, or there. */
export type DeliverySeen = Pick<Delivery, 'id' | 'state' | 'attempts'> & {
  topic: string;
  orderId: string;
  status: string;
};

/** What stands behind the workspace: the order service, and how Slack reaches the bot. */
export type Backstage = {
  organizations: OrganizationSeen[];
  deliveries: DeliverySeen[];
  troubles: Record<Trouble, boolean>;
  transport: 'http' | 'socket';
  /** The open connections of Socket Mode. */
  sockets: number;
  /** Where the app is installed, or could be; none where that is not the page's matter. */
  places: (Pick<PlaceSeen, 'id' | 'name' | 'status'> & { installUrl: string | null })[];
  tokenRotation: boolean;
};

/** What is looked at. */
type Backdrop = {
  service: OrderService;
  slack: Slack;
  troubles: Troubles;
  transport: Backstage['transport'];
  installUrl?: string | undefined;
};

/** What the back office shows now. */
export function lookBackstage({ service, slack, troubles, transport, installUrl }: Backdrop): Backstage {
  return {
    organizations: ['acme', 'globex'].map((id) => seeOrganization(service, id)),
    deliveries: service.deliveries().map(seeDelivery),
    troubles: Object.fromEntries(
      TROUBLES.map((each) => [each, troubles.isOn(each)]),
    ) as Backstage['troubles'],
    transport,
    sockets: slack.sockets.count(),
    places: installUrl ? seePlaces(slack.world).map(withInstallPath) : [],
    tokenRotation: slack.world.app.tokenRotation,
  };
}

const withInstallPath = ({ installer, ...place }: PlaceSeen): Backstage['places'][number] => ({
  ...place,
  installUrl: installer ? installPath({ user: installer, place: place.id }) : null,
});

function seeOrganization(service: OrderService, id: string): OrganizationSeen {
  const { name, orders, offers, tokens, subscriptions } = service.organization(id);
  return {
    id,
    name,
    orders: [...orders.values()],
    offers: [...offers.values()],
    tokens,
    subscriptions: subscriptions.map(({ secret: _, ...shown }) => shown),
  };
}

const seeDelivery = ({ id, state, attempts, event }: Delivery): DeliverySeen => ({
  id,
  state,
  attempts,
  topic: event.topic,
  orderId: String(event.data['orderId'] ?? ''),
  status: String(event.data['status'] ?? ''),
});
