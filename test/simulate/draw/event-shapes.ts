/**
 * The forms that an event of the service may have beside the usual one. events.md guarantees no form: a time may be missing or
 * written in another way, and older copies of that document write the status in another case.
 */
import type { PreparedEvent } from '../../../sandbox/order-service/events.ts';
import type { Random } from '../../chaos/random.ts';
import type { Options } from './choices.ts';
import type { Plan } from './plan.ts';

/** The number of each form in a thousand events, in a play that has such events. */
export const SHAPES: Options = [
  ['no time of change', 200],
  ['unreadable time of change', 100],
  ['no times', 80],
  ['other offset', 80],
  ['older copy', 80],
  ['unlisted word', 30],
];

/** The forms without a readable time of change. */
export const UNTIMED: ReadonlySet<string> = new Set([
  'no time of change',
  'unreadable time of change',
  'no times',
]);

/** A status that the interface does not list. */
export const UNLISTED = 'Scheduled';

/** In some plays the service sends events in any form. */
export const drawShapes = (random: Random): Pick<Plan, 'hasOddEvents'> =>
  random.chance(0.25) ? { hasOddEvents: true } : {};

/** @returns the event in that form; unchanged if there is no form of that name */
export function shaped(event: PreparedEvent, shape: string): PreparedEvent {
  const { requestedByUserId, ...data } = event.data;
  const { createdAt, updatedAt, ...untimed } = data;
  const status = String(data['status']);
  switch (shape) {
    case 'no time of change':
      return { ...event, data: { ...untimed, createdAt, requestedByUserId } };
    case 'unreadable time of change':
      return { ...event, data: { ...data, updatedAt: 'just now' } };
    case 'no times':
      return { ...event, data: { ...untimed, createdAt: null, updatedAt: null } };
    case 'other offset':
      return { ...event, data: { ...data, createdAt: inBerlin(createdAt), updatedAt: inBerlin(updatedAt) } };
    case 'older copy':
      return { ...event, data: { ...data, status: status.charAt(0).toUpperCase() + status.slice(1) } };
    case 'unlisted word':
      return { ...event, data: { ...data, status: UNLISTED } };
    default:
      return event;
  }
}

/** The same moment, with the offset of another zone. */
const inBerlin = (time: unknown): string =>
  Temporal.Instant.from(String(time)).toString({ timeZone: 'Europe/Berlin' });
