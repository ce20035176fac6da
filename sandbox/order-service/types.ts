import type { Faults } from '../lib/faults/faults.ts';
import type { Journal } from '../lib/http/journal.ts';
import type { CallFilter, ReceivedCall } from './serve-operation.ts';
import type { BackOffice } from './world/back-office.ts';
import type { Customers } from './world/customers.ts';

/** The settings of the service; every field has a default. */
export type OrderServiceOptions = {
  journal: Journal;
  port?: number;
  /** The delays before the five retries of an event. */
  eventRetryDelaysMs?: readonly number[];
  eventTimeoutMs?: number;
};

/** A running order service, with its back office, its faults, and the calls that it received. */
export interface OrderService extends Customers, BackOffice {
  /** The bot's ORDER_SERVICE_URL. */
  url: string;
  faults: Faults;
  /** Returns every request that reached the service, recorded on receipt. */
  calls(filter?: CallFilter): ReceivedCall[];
  /** Stops listening at the address (false), or listens again (true). */
  setReachable(isReachable: boolean): Promise<void>;
  close(): Promise<void>;
}
