/** Decides what a customer can be told about a request: which of the texts that admins can change. */
import type { CustomerReply } from './kinds/request-kind.ts';
import { KINDS } from './kinds.ts';
import { mayHaveReceived } from './receipt.ts';
import type { RequestRecord } from './record.ts';
import { endedByMistake } from './refusal.ts';

/** @returns undefined if nothing is known that concerns the customer: a wrong id is the mistake of whoever typed it */
export function customerReplyTo(record: RequestRecord): CustomerReply | undefined {
  if (endedByMistake(record)) return undefined;
  const { kind, state } = record;
  const reply = KINDS[kind].customerReplies[state];
  // An earlier call may have cancelled the order, unless the service itself says that it goes on.
  const isInDoubt = reply === 'replyOrderNotCanceled' && state !== 'denied' && mayHaveReceived(record);
  return isInDoubt ? undefined : reply;
}
