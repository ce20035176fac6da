/** Formats an entry of the audit trail for other programs: in the audit stream, in the export and at the terminal. */

import { type AuditEntry, contentOf } from '../requests/model/audit/audit-entry.ts';
import { withIsoTimes } from './iso-times.ts';

/** @returns a line of JSON. `type` tells it from a line of the log, or from a request */
export const auditLine = (entry: AuditEntry): string =>
  `${JSON.stringify({ type: 'audit_entry', ...(withIsoTimes(contentOf(entry)) as object) })}\n`;
