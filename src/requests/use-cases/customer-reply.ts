/** Use case: a person wants the text for a customer about a request. */
import type { RecordRef } from '../../outbox/record-store.ts';
import type { CustomerReply } from '../model/kinds/request-kind.ts';
import { KINDS } from '../model/kinds.ts';
import { mayHaveReceived } from '../model/receipt.ts';
import type { RequestRecord } from '../model/record.ts';
import { isReopened } from '../model/summary.ts';
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
 * @returns undefined if nothing is known that concerns the customer. A refusal by the order service is about the call: the
 *   token, the id, or an order that is cancelled already
 */
export function customerReplyTo(record: RequestRecord): CustomerReply | undefined {
  const { kind, state, repeats } = record;
  // An earlier request, or an earlier call of this one, may have cancelled the order.
  const isInDoubt = state === 'declined' && (repeats !== undefined || mayHaveReceived(record));
  return isInDoubt || isReopened(record) ? undefined : KINDS[kind].customerReplies[state];
}
