/**
 * Formats times, and entries of the audit trail, for other programs: in the audit stream, in the export and at the
 * terminal.
 */
import { type AuditEntry, contentOf } from '../requests/model/audit-entry.ts';

/** @returns a line of JSON. `type` tells it from a line of the log, or from a request */
export const auditLine = (entry: AuditEntry): string =>
  `${JSON.stringify({ type: 'audit_entry', ...(withIsoTimes(contentOf(entry)) as object) })}\n`;

/** @param at epoch milliseconds @returns ISO 8601 in UTC; an invalid time stays a number */
export function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.valueOf()) ? String(at) : date.toISOString();
}

const MILLISECONDS = new Set(['at', 'since', 'createdAt', 'updatedAt', 'requestedAt', 'arrivedAt']);
/** Times of votes and clicks by Slack's clock; 0: never. */
const MICROSECONDS = new Set(['addedAt', 'removedAt', 'moment']);

/** Returns the value with all times as ISO 8601. */
export function withIsoTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, timeOr(key, inner)]));
}

function timeOr(key: string, value: unknown): unknown {
  if (typeof value !== 'number') return withIsoTimes(value);
  if (MILLISECONDS.has(key)) return iso(value);
  if (MICROSECONDS.has(key)) return value === 0 ? null : iso(value / 1_000);
  return value;
}
