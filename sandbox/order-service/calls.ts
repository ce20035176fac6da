/** A request that reached the service, whatever became of it. */
export type ReceivedCall = {
  /** The operation's name, or 'unknown_route'. */
  operation: string;
  /** The decoded path segment: an order or an offer. */
  id: string;
  /** The request target as it came over the wire. */
  target: string;
  at: number;
  /** The status that the operation gave, were it answered or not; undefined while a fault kept it from running. */
  status?: number;
};

/** Which calls to look at. */
export type CallFilter = {
  orderId?: string;
  operation?: string;
};

/** The calls that fit. */
export function filterCalls(calls: readonly ReceivedCall[], filter: CallFilter): ReceivedCall[] {
  return calls.filter(
    (call) =>
      (filter.orderId === undefined || call.id === filter.orderId) &&
      (filter.operation === undefined || call.operation === filter.operation),
  );
}
