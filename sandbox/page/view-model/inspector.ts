/** The data of the inspector, and the faults of the order service that can be switched on in it. */
import type { Fault, ScheduledFault } from '../../lib/faults/faults.ts';
import type { Delivery } from '../../order-service/events.ts';
import type { OrderService } from '../../order-service/start.ts';
import type { Slack } from '../../slack/start.ts';
import { type InstallTarget, installPath, viewInstallTargets } from './people.ts';

export type InspectorContext = {
  service: OrderService;
  slack: Slack;
  faults: PageFaults;
  transport: 'http' | 'socket';
  /** The app's install page; left out: the app stays installed in one workspace, and the page does not offer installing. */
  installUrl?: string | undefined;
};

export type InspectorViewModel = ReturnType<typeof viewInspector>;

export function viewInspector(context: InspectorContext) {
  const { service, slack, faults, transport, installUrl } = context;
  return {
    organizations: ['acme', 'globex'].map((id) => viewOrganization(service, id)),
    deliveries: service.deliveries().map(viewDelivery),
    faults: Object.fromEntries(PAGE_FAULTS.map((each) => [each, faults.isOn(each)])) as Record<
      PageFault,
      boolean
    >,
    transport,
    sockets: slack.sockets.count(),
    /** The workspaces and organizations where the app can be installed; empty if the page does not offer installing. */
    places: installUrl ? viewInstallTargets(slack.world).map(withInstallPath) : [],
  };
}

const withInstallPath = ({ installer, ...place }: InstallTarget) => ({
  ...place,
  installUrl: installer ? installPath({ user: installer, place: place.id }) : null,
});

/** A customer of the order service, as the service's own staff sees it. */
export type OrganizationSeen = ReturnType<typeof viewOrganization>;

function viewOrganization(service: OrderService, id: string) {
  const { name, orders, offers, tokens, subscriptions } = service.organization(id);
  return {
    id,
    name,
    orders: [...orders.values()],
    offers: [...offers.values()],
    /** In clear, because an admin copies the token from here to connect. */
    tokens,
    subscriptions: subscriptions.map(({ secret: _, ...shown }) => shown),
  };
}

export type DeliverySeen = ReturnType<typeof viewDelivery>;

const viewDelivery = ({ id, state, attempts, event }: Delivery) => ({
  id,
  state,
  attempts,
  topic: event.topic,
  orderId: String(event.data['orderId'] ?? ''),
  status: String(event.data['status'] ?? ''),
});

export const PAGE_FAULTS = ['slow', 'down', 'error', 'rate_limited', 'unanswered'] as const;

export type PageFault = (typeof PAGE_FAULTS)[number];

const SCHEDULED: Record<Exclude<PageFault, 'down'>, Fault> = {
  // Longer than the three seconds that Slack waits for an acknowledgement.
  slow: { type: 'delay_answer', ms: 4_000 },
  error: { type: 'status', status: 500 },
  rate_limited: { type: 'rate_limit', retryAfterSeconds: 5 },
  unanswered: { type: 'unanswered' },
};

export type PageFaults = ReturnType<typeof createPageFaults>;

export function createPageFaults(service: OrderService) {
  const scheduled = new Map<PageFault, Pick<ScheduledFault, 'cancel'>>();

  async function switchOn(fault: PageFault): Promise<void> {
    if (fault === 'down') {
      scheduled.set(fault, { cancel: () => {} });
      return service.setReachable(false);
    }
    scheduled.set(
      fault,
      service.faults.schedule({ on: '*', fault: SCHEDULED[fault], times: Number.POSITIVE_INFINITY }),
    );
  }

  async function switchOff(fault: PageFault): Promise<void> {
    scheduled.get(fault)?.cancel();
    scheduled.delete(fault);
    if (fault === 'down') await service.setReachable(true);
  }

  return {
    set: async (fault: PageFault, isOn: boolean) => {
      if (isOn !== scheduled.has(fault)) await (isOn ? switchOn(fault) : switchOff(fault));
    },
    isOn: (fault: PageFault) => scheduled.has(fault),
  };
}
