/**
 * The forms of an event of the service beside the usual one. Its documents guarantee none (events.md): a time may be missing, or
 * be written in another way, and older copies of them write the status in another case.
 */
import type { PreparedEvent } from '../../../sandbox/order-service/events.ts';
import type { Random } from '../../chaos/random.ts';
import type { Options } from './choices.ts';
import type { Plan } from './plan.ts';

/** In a thousand events of a play that has any. */
export const SHAPES: Options = [
  ['no time of change', 200],
  ['unreadable time of change', 100],
  ['no times', 80],
  ['other offset', 80],
  ['older copy', 80],
  ['unlisted word', 30],
];

/** The forms that say nothing readable of when the request was changed. */
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

/** @returns the event in the form; any other name: as it is */
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
