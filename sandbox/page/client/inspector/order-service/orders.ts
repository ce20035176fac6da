import type { CancellationStatus, Order } from '../../../../order-service/organization.ts';

/** An order with a request to cancel it. */
export type RequestedOrder = Order & Required<Pick<Order, 'cancellation'>>;

/** The orders of an organization, by status. */
export type SortedOrders = {
  waiting: RequestedOrder[];
  decided: RequestedOrder[];
  untouched: Order[];
};

/** The label of each status. */
export const STATUS_TEXT: Record<CancellationStatus, string> = {
  pending: 'waiting for review',
  approved: 'approved',
  denied: 'denied',
  canceled: 'cancelled at once',
};

/** Sorts orders by status; those that changed last come first. */
export function sortOrders(orders: readonly Order[]): SortedOrders {
  const asked = orders.filter(isAsked).sort((one, other) => changed(other).localeCompare(changed(one)));
  return {
    waiting: asked.filter(({ cancellation }) => cancellation.status === 'pending'),
    decided: asked.filter(({ cancellation }) => cancellation.status !== 'pending'),
    untouched: orders.filter((order) => !isAsked(order)).sort(byId),
  };
}

const isAsked = (order: Order): order is RequestedOrder => order.cancellation !== undefined;

const changed = ({ cancellation }: RequestedOrder) => cancellation.updatedAt;

const byId = (one: Order, other: Order) => one.id.localeCompare(other.id, 'en', { numeric: true });

/** Abbreviates sorted ids; consecutive ones become "A-1001 … A-1010". */
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
