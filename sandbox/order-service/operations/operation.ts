import type { HttpReply } from '../../lib/http/server.ts';
import type { EventStream } from '../events.ts';
import type { Organization } from '../organization.ts';

/** The input of an operation: the caller, the order or offer, and the body. */
export type OperationCall = {
  organization: Organization;
  token: string;
  /** The decoded path segment; empty where the route has none. */
  id: string;
  body: string;
  events: EventStream;
  /** Epoch milliseconds. */
  now: () => number;
};

/** One operation of the interface and the routes that lead to it. */
export type Operation = {
  name: string;
  routes: readonly { method: string; path: string }[];
  run(call: OperationCall): HttpReply;
};
