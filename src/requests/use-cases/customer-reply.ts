/** Use case: a person wants the text for a customer about a request. */
import type { RecordRef } from '../../outbox/record-store.ts';
import type { CustomerReply } from '../model/kinds/request-kind.ts';
import { KINDS } from '../model/kinds.ts';
import { mayHaveReceived } from '../model/receipt.ts';
import type { RequestRecord } from '../model/record.ts';
import { endedByMistake } from '../model/refusal.ts';
import { findForResolution, type ManualResult, type ResolveManuallyDeps } from './resolve-manually.ts';
import { MAY_REPLY } from './who-may.ts';

type ToReply =
  | Extract<ManualResult, { type: 'not_found' | 'not_allowed' }>
  | { type: 'not_theirs'; record: RequestRecord }
  /** Nothing is known, or not any more, that concerns the customer. */
  | { type: 'nothing_to_tell'; record: RequestRecord }
  | { type: 'offered'; record: RequestRecord; reply: CustomerReply };

/** @throws if the storage or Slack can't be read */
export async function toReply(
  deps: Pick<ResolveManuallyDeps, 'store' | 'directory' | 'workspaces'>,
  who: RecordRef & { by: string },
): Promise<ToReply> {
  const found = await findForResolution(deps, who);
  if (found.type !== 'found') return found;
  const { record, roles } = found;
  if (!MAY_REPLY.some((role) => roles.has(role))) return { type: 'not_theirs', record };
  const reply = customerReplyTo(record);
  return reply ? { type: 'offered', record, reply } : { type: 'nothing_to_tell', record };
}

/**
 * Decides which of the texts that admins can change a customer can be told about a request.
 *
 * @returns undefined if nothing is known that concerns the customer: a wrong id is the mistake of whoever typed it
 */
export function customerReplyTo(record: RequestRecord): CustomerReply | undefined {
  if (endedByMistake(record)) return undefined;
  const { kind, state } = record;
  const reply = KINDS[kind].customerReplies[state];
  // An earlier call may have cancelled the order, unless the service itself says that it goes on.
  const isInDoubt = reply === 'replyOrderNotCanceled' && state !== 'denied' && mayHaveReceived(record);
  return isInDoubt ? undefined : reply;
}
