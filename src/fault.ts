/**
 * Reports faults: neither a user's mistake nor a service's refusal. A fault is logged, and the person gets a reference
 * to it.
 */
import { randomBytes } from 'node:crypto';
import { readableId } from './requests/model/facts/request-id.ts';
import type { Log } from './requests/ports/ports.ts';

/** @returns the reference of this fault in the log */
export function reportFault(log: Log, error: unknown, context: object): string {
  const reference = readableId(randomBytes(8)).toUpperCase();
  log.error({ reference, err: error, ...context }, 'fault');
  return reference;
}
