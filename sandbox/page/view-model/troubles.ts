import type { Fault, ScheduledFault } from '../../lib/faults/faults.ts';
import type { OrderService } from '../../order-service/start.ts';

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
