/**
 * Keeps a service that changes its word again and again from filling the record and the thread. A change goes into the last
 * step as long as nobody can have read the reply of that step. After many replies one is kept up to date instead.
 */

import { newUpkeep } from '../../../outbox/upkeep.ts';
import { isWordOfService } from '../facts/receipt.ts';
import { currentStep, type RequestRecord, type Step } from '../record.ts';

/** The replies about the service's words that are posted one by one. */
const REPLIES_ONE_BY_ONE = 20;

/**
 * Returns the last step if it absorbs the next change of the service. Only the last one does: an act of a person is a step,
 * and what the service says after it is news.
 */
export function absorbing(record: RequestRecord): Step | undefined {
  const step = currentStep(record);
  if (step.cause.type !== 'event' || !step.reply) return undefined;
  return step.reply.summary || isUnread(record, step) ? step : undefined;
}

/** Whether Slack can't have received the reply: it is not being posted, and no attempt at it is in doubt. */
function isUnread({ claim }: RequestRecord, { n, reply }: Step): boolean {
  const isClaimed =
    claim !== undefined &&
    'messageKey' in claim &&
    claim.messageKey.type === 'reply' &&
    claim.messageKey.n === n;
  return reply?.delivery.status === 'owed' && reply.delivery.tidies === undefined && !isClaimed;
}

/** Adds the step of a change of the service, or lets the last step absorb it. */
export function withServiceStep(record: RequestRecord, added: Step): Step[] {
  const { steps, revision } = record;
  const former = absorbing(record);
  const summary = { ...newUpkeep(added.at), revision: revision + 1 };
  if (!former?.reply || !added.reply) {
    const isMany = steps.filter((step) => isWordOfService(step) && step.reply).length >= REPLIES_ONE_BY_ONE;
    return [...steps, isMany && added.reply ? { ...added, reply: { ...added.reply, summary } } : added];
  }
  const { to, delivery } = former.reply;
  const absorbed: Step = {
    ...added,
    n: former.n,
    flips: (former.flips ?? 0) + 1,
    reply: {
      // A thread that took no reply before takes none now.
      to: to === 'thread' ? added.reply.to : to,
      delivery,
      ...(former.reply.summary && { summary: { ...former.reply.summary, revision: revision + 1 } }),
    },
  };
  return [...steps.slice(0, -1), absorbed];
}

/** Counts how often the service has changed its word up to a step; its first word is no change. */
export function changesUpTo({ steps }: RequestRecord, { n }: Step): number {
  const words = steps
    .filter((step) => step.n <= n && isWordOfService(step))
    .reduce((sum, { flips = 0 }) => sum + 1 + flips, 0);
  return words - 1;
}
