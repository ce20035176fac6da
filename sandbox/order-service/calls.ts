/** A request that reached the service, with any outcome. */
export type ReceivedCall = {
  /** The operation's name, or 'unknown_route'. */
  operation: string;
  /** The decoded path segment: an order or an offer. */
  id: string;
  /** The raw request target. */
  target: string;
  at: number;
  /** The status of the operation, even if it was not answered; undefined if a fault kept the operation from running. */
  status?: number;
};

/** A filter on calls. */
export type CallFilter = {
  orderId?: string;
  operation?: string;
};

/** Returns the calls that match. */
export function filterCalls(calls: readonly ReceivedCall[], filter: CallFilter): ReceivedCall[] {
  return calls.filter(
    (call) =>
      (filter.orderId === undefined || call.id === filter.orderId) &&
      (filter.operation === undefined || call.operation === filter.operation),
  );
}
