/** Puts into the log that a token was to be revoked, and was not. */
import { reportFault } from '../../../fault.ts';
import type { Log } from '../../../outbox/ports.ts';
import type { FormerToken } from '../../../workspaces/connection/token/revoke-token.ts';

/** @returns the reference of a fault: where nobody knows whether it was done, or something of ours has failed */
export function reportRevocation(log: Log, workspace: string, revocation: FormerToken): string | undefined {
  switch (revocation.type) {
    case 'unknown':
    case 'not_sent':
      return reportFault(log, revocation.error, { workspace, action: 'revoke' });
    case 'unreachable':
      log.warn({ workspace, revocation }, 'token not revoked');
      return undefined;
    default:
      return undefined;
  }
}
