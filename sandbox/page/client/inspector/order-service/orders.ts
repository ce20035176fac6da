import type { CancellationStatus, Order } from '../../../../order-service/world/organizations.ts';

/** An order that somebody asked to cancel. */
export type AskedOrder = Order & Required<Pick<Order, 'cancellation'>>;

/** The orders of an organization, by where they stand. */
export type SortedOrders = {
  waiting: AskedOrder[];
  decided: AskedOrder[];
  untouched: Order[];
};

/** How a status reads. */
export const STATUS_WORDS: Record<CancellationStatus, string> = {
  pending: 'waiting for review',
  approved: 'approved',
  denied: 'denied',
  canceled: 'cancelled at once',
};

/** Sorts orders by where they stand; those that changed last come first. */
export function sortOrders(orders: readonly Order[]): SortedOrders {
  const asked = orders.filter(isAsked).sort((one, other) => changed(other).localeCompare(changed(one)));
  return {
    waiting: asked.filter(({ cancellation }) => cancellation.status === 'pending'),
    decided: asked.filter(({ cancellation }) => cancellation.status !== 'pending'),
    untouched: orders.filter((order) => !isAsked(order)).sort(byId),
  };
}

const isAsked = (order: Order): order is AskedOrder => order.cancellation !== undefined;

const changed = ({ cancellation }: AskedOrder) => cancellation.updatedAt;

const byId = (one: Order, other: Order) => one.id.localeCompare(other.id, 'en', { numeric: true });

/** Ids in a few words, those that follow one another as "A-1001 … A-1010". They must be sorted. */
export function rangesOf(ids: readonly string[]): string {
  const ranges: { first: string; last: string }[] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range && isNext(range.last, id)) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first} … ${last}`)).join(', ');
}

function isNext(before: string, id: string): boolean {
  const [, prefix, number] = /^(.*?)(\d+)$/.exec(before) ?? [];
  return number !== undefined && id === `${prefix}${`${Number(number) + 1}`.padStart(number.length, '0')}`;
}
