/** The data of the inspector, and the troubles of the order service that can be switched on in it. */
import type { Fault, ScheduledFault } from '../../lib/faults/faults.ts';
import type { Delivery } from '../../order-service/events.ts';
import type { ApiToken, Offer, Order, Subscription } from '../../order-service/organization.ts';
import type { OrderService } from '../../order-service/start.ts';
import type { Slack } from '../../slack/start.ts';
import { type InstallTarget, installPath, viewInstallTargets } from './people.ts';

/** A customer of the order service, as the service's own staff sees it. */
export type OrganizationSeen = {
  id: string;
  name: string;
  orders: Order[];
  offers: Offer[];
  /** In clear, because an admin copies the token from here to connect. */
  tokens: ApiToken[];
  subscriptions: Omit<Subscription, 'secret'>[];
};

/** An event for the bot, delivered or under way. */
export type DeliverySeen = Pick<Delivery, 'id' | 'state' | 'attempts'> & {
  topic: string;
  orderId: string;
  status: string;
};

/** The data of the inspector: the order service, and the connection between Slack and the bot. */
export type InspectorViewModel = {
  organizations: OrganizationSeen[];
  deliveries: DeliverySeen[];
  troubles: Record<Trouble, boolean>;
  transport: 'http' | 'socket';
  /** The open connections of Socket Mode. */
  sockets: number;
  /** The workspaces and organizations where the app can be installed; empty if the page does not offer installing. */
  places: (Pick<InstallTarget, 'id' | 'name' | 'status'> & { installUrl: string | null })[];
  tokenRotation: boolean;
};

/** The services and settings that the inspector reads. */
export type InspectorContext = {
  service: OrderService;
  slack: Slack;
  troubles: Troubles;
  transport: InspectorViewModel['transport'];
  /** The app's install page; left out: the app stays installed in one workspace, and the page does not offer installing. */
  installUrl?: string | undefined;
};

/** Returns the current data of the inspector. */
export function viewInspector(context: InspectorContext): InspectorViewModel {
  const { service, slack, troubles, transport, installUrl } = context;
  return {
    organizations: ['acme', 'globex'].map((id) => viewOrganization(service, id)),
    deliveries: service.deliveries().map(viewDelivery),
    troubles: Object.fromEntries(
      TROUBLES.map((each) => [each, troubles.isOn(each)]),
    ) as InspectorViewModel['troubles'],
    transport,
    sockets: slack.sockets.count(),
    places: installUrl ? viewInstallTargets(slack.world).map(withInstallPath) : [],
    tokenRotation: slack.world.app.tokenRotation,
  };
}

const withInstallPath = ({ installer, ...place }: InstallTarget): InspectorViewModel['places'][number] => ({
  ...place,
  installUrl: installer ? installPath({ user: installer, place: place.id }) : null,
});

function viewOrganization(service: OrderService, id: string): OrganizationSeen {
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

const viewDelivery = ({ id, state, attempts, event }: Delivery): DeliverySeen => ({
  id,
  state,
  attempts,
  topic: event.topic,
  orderId: String(event.data['orderId'] ?? ''),
  status: String(event.data['status'] ?? ''),
});

/** The troubles that can be switched on for the order service. */
export const TROUBLES = ['slow', 'down', 'error', 'rate_limited', 'unanswered'] as const;

export type Trouble = (typeof TROUBLES)[number];

const FAULTS: Record<Exclude<Trouble, 'down'>, Fault> = {
  // Longer than the three seconds that Slack waits for an acknowledgement.
  slow: { type: 'delay_answer', ms: 4_000 },
  error: { type: 'status', status: 500 },
  rate_limited: { type: 'rate_limit', retryAfterSeconds: 5 },
  unanswered: { type: 'unanswered' },
};

/** The switches for the troubles of the order service. */
export type Troubles = {
  set(trouble: Trouble, isOn: boolean): Promise<void>;
  isOn(trouble: Trouble): boolean;
};

/** Creates the switches, all off. */
export function createTroubles(service: OrderService): Troubles {
  const scheduled = new Map<Trouble, Pick<ScheduledFault, 'cancel'>>();

  async function switchOn(trouble: Trouble): Promise<void> {
    if (trouble === 'down') {
      scheduled.set(trouble, { cancel: () => {} });
      return service.setReachable(false);
    }
    scheduled.set(
      trouble,
      service.faults.schedule({ on: '*', fault: FAULTS[trouble], times: Number.POSITIVE_INFINITY }),
    );
  }

  async function switchOff(trouble: Trouble): Promise<void> {
    scheduled.get(trouble)?.cancel();
    scheduled.delete(trouble);
    if (trouble === 'down') await service.setReachable(true);
  }

  return {
    set: async (trouble, isOn) => {
      if (isOn !== scheduled.has(trouble)) await (isOn ? switchOn(trouble) : switchOff(trouble));
    },
    isOn: (trouble) => scheduled.has(trouble),
  };
}
