import type { Fault, OrderedFault } from '../../lib/control/faults.ts';
import type { OrderService } from '../../order-service/start.ts';

/** What can be wrong with the order service, until it is switched off again. */
export const TROUBLES = ['slow', 'down', 'error', 'rate_limited', 'unanswered'] as const;

export type Trouble = (typeof TROUBLES)[number];

const FAULTS: Record<Exclude<Trouble, 'down'>, Fault> = {
  // Longer than the three seconds within which Slack wants an acknowledgement.
  slow: { type: 'delay_answer', ms: 4_000 },
  error: { type: 'status', status: 500 },
  rate_limited: { type: 'rate_limit', retryAfterSeconds: 5 },
  unanswered: { type: 'unanswered' },
};

/** The switches for what is wrong with the order service. */
export type Troubles = {
  set(trouble: Trouble, isOn: boolean): Promise<void>;
  isOn(trouble: Trouble): boolean;
};

/** All is well at first. */
export function createTroubles(service: OrderService): Troubles {
  const ordered = new Map<Trouble, Pick<OrderedFault, 'cancel'>>();

  async function switchOn(trouble: Trouble): Promise<void> {
    if (trouble === 'down') {
      ordered.set(trouble, { cancel: () => {} });
      return service.setReachable(false);
    }
    ordered.set(
      trouble,
      service.faults.order({ on: '*', fault: FAULTS[trouble], times: Number.POSITIVE_INFINITY }),
    );
  }

  async function switchOff(trouble: Trouble): Promise<void> {
    ordered.get(trouble)?.cancel();
    ordered.delete(trouble);
    if (trouble === 'down') await service.setReachable(true);
  }

  return {
    set: async (trouble, isOn) => {
      if (isOn !== ordered.has(trouble)) await (isOn ? switchOn(trouble) : switchOff(trouble));
    },
    isOn: (trouble) => ordered.has(trouble),
  };
}
