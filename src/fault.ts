/**
 * Turns thrown values into errors, and reports faults: neither a user's mistake nor a service's refusal. A fault is logged,
 * and the person gets a reference to it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { BYTES, bounded, REPEATS_MS, repeatKey } from './log.ts';
import type { Log } from './outbox/ports.ts';
import { readableId } from './requests/model/request-id.ts';

/** JavaScript can throw any value. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

const MESSAGE = 'fault';
/** pino's level. */
const ERROR = 50;
const REFERENCE_BYTES = 8;
/** Tells the faults of this process from the faults of others. */
const OWN = randomBytes(16);

/**
 * Logs a fault. Equal faults within a minute share a reference, so that the log collapses them like other lines, and
 * the reference leads to the first of them.
 *
 * @returns the reference of this fault in the log
 */
export function reportFault(log: Log, error: unknown, context: object): string {
  const fault = { err: error, ...context };
  const minute = Math.floor(Date.now() / REPEATS_MS);
  const key = repeatKey(ERROR, bounded(fault, BYTES.fields), [MESSAGE]);
  const digest = createHash('sha256').update(OWN).update(`${minute} ${key}`).digest();
  const reference = readableId(digest.subarray(0, REFERENCE_BYTES)).toUpperCase();
  log.error({ event: 'fault', reference, ...fault }, MESSAGE);
  return reference;
}
