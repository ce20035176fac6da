/** Formats requests and entries of the audit trail for other programs: as a line of JSON each, with times as ISO 8601. */
import type { Approval } from '../requests/model/approvals/approval.ts';
import { type AuditEntry, contentOf } from '../requests/model/audit-entry.ts';
import type { RequestMessage } from '../requests/model/message.ts';
import type { RequestRecord } from '../requests/model/record.ts';

/** @returns an entry of the audit trail as a line of JSON. `type` tells it from a line of the log, and from a request */
export const auditLine = (entry: AuditEntry): string =>
  `${JSON.stringify({ type: 'audit_entry', ...(withIsoTimes(contentOf(entry)) as object) })}\n`;

/** @returns a request as a line of JSON, without what is pending for it */
export function requestLine(record: RequestRecord): string {
  const { id, workspace, kind, target, reason, requester, createdAt, channel, state, word } = record;
  const { thread, message, ticket, repeats, lateActions, paused } = record;
  const exported = {
    type: 'request',
    ...{ id, workspace, kind, target, reason, requester, createdAt, channel, state, word },
    ...{ thread, message, ticket, repeats, lateActions, paused },
    requestedAt: record.call.requestedAt,
    steps: record.steps.map(({ n, state: entered, at, cause, callResult }) => ({
      n,
      state: entered,
      at,
      cause,
      callResult,
    })),
    approval: record.approval && approvalOf(record.approval),
    messages: record.messages.map(exportedMessage),
  };
  return `${JSON.stringify(withIsoTimes(exported))}\n`;
}

function approvalOf(approval: Approval) {
  const { policy, round, since, votes, history, forgotten, problem, decision, earlier } = approval;
  return { policy, round, since, votes, history, forgotten, problem, decision, earlier };
}

/** A message without what is pending about it. */
const exportedMessage = ({ delivery, upkeep: _pending, ...message }: RequestMessage) => ({
  ...message,
  delivery: delivery.status,
});

/** @param at epoch milliseconds @returns ISO 8601 in UTC; of an invalid time the number */
export function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.valueOf()) ? String(at) : date.toISOString();
}

/** The names of the fields that hold epoch milliseconds. */
const MILLISECONDS = new Set([
  'at',
  'since',
  'createdAt',
  'updatedAt',
  'requestedAt',
  'arrivedAt',
  'reasonAt',
]);
/** The names of the fields that hold epoch microseconds by Slack's clock, of votes and clicks; 0: never. */
const MICROSECONDS = new Set(['addedAt', 'removedAt', 'moment']);

/** Returns the value with all times as ISO 8601. */
function withIsoTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, isoIfTime(key, inner)]));
}

function isoIfTime(key: string, value: unknown): unknown {
  if (typeof value !== 'number') return withIsoTimes(value);
  if (MILLISECONDS.has(key)) return iso(value);
  if (MICROSECONDS.has(key)) return value === 0 ? null : iso(value / 1_000);
  return value;
}
