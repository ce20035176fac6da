/** The order service of a history: the calls that it accepted, and its events, which may arrive at any time. */
import type { Answer, ServiceEvent } from '../../../src/requests/model/cause.ts';
import { REQUEST } from '../requests/records.ts';
import type { Outcome } from './histories.ts';

type Status = ServiceEvent['status'];
type Taken = { createdAt: number; updatedAt: number; status: Outcome };

export type Announced = { event: ServiceEvent; outcome: Status };

const ALREADY = {
  type: 'refused',
  httpStatus: 400,
  code: 'VALIDATION_ERROR',
  message: 'It already has one',
  details: [],
} as const satisfies Answer;

export type LocalService = ReturnType<typeof createLocalService>;

export function createLocalService() {
  const taken: Taken[] = [];
  const events: Announced[] = [];

  function announce({ createdAt, updatedAt }: Taken, outcome: Status, topic: ServiceEvent['topic']): void {
    events.push({ event: eventOf(outcome, { createdAt, updatedAt }, topic, `d${events.length}`), outcome });
  }

  return {
    /**
     * Accepts a call. An event announces a cancellation that awaits review (order-service-interface.md, section 3).
     *
     * @returns a refusal if there is a cancellation already that was not denied
     */
    take(status: Outcome, now: number): typeof ALREADY | undefined {
      if (taken.some((before) => before.status !== 'denied')) return ALREADY;
      const next = { createdAt: now, updatedAt: now, status };
      taken.push(next);
      if (status === 'pending' || status === 'accepted') announce(next, 'pending', 'created');
      return undefined;
    },
    /** @returns whether there was anything to decide */
    review(which: number, status: Status, now: number): boolean {
      const at = which % Math.max(1, taken.length);
      const cancellation = taken[at];
      if (!cancellation || cancellation.status === 'canceled' || cancellation.status === status) return false;
      taken[at] = { ...cancellation, status, updatedAt: now };
      announce(taken[at], status, 'updated');
      return true;
    },
    event: (which: number): Announced | undefined => events[which % Math.max(1, events.length)],
  };
}

/** An event about a cancellation that was requested elsewhere. */
export const eventElsewhere = (status: Status, updatedAt: number): ServiceEvent =>
  eventOf(status, { createdAt: updatedAt - 1_000, updatedAt }, 'updated', `elsewhere ${status} ${updatedAt}`);

const eventOf = (
  status: Status,
  times: { createdAt: number; updatedAt: number },
  topic: ServiceEvent['topic'],
  digest: string,
): ServiceEvent => ({
  topic,
  target: REQUEST.target,
  status,
  digest,
  ...times,
  ...(status === 'accepted' ? { word: 'ESCALATED' } : {}),
});
