/**
 * Keeps a service that changes its word again and again from filling the record and the thread. A change goes into the last
 * step as long as nobody can have read the reply of that step. After many replies one is kept up to date instead.
 */

import { newUpkeep } from '../../../outbox/upkeep.ts';
import { isUnderWay, replyOf } from '../facts/messages.ts';
import { isWordOfService } from '../facts/receipt.ts';
import type { Reply } from '../message.ts';
import { currentStep, type RequestRecord, type Step } from '../record.ts';

/** The replies about the service's words that are posted one by one. */
const REPLIES_ONE_BY_ONE = 20;

/**
 * Returns the last step if it absorbs the next change of the service. Only the last one does: an act of a person is a step,
 * and what the service says after it is news.
 */
export function absorbing(record: RequestRecord): Step | undefined {
  const step = currentStep(record);
  const reply = replyOf(record, step);
  if (step.cause.type !== 'event' || !reply) return undefined;
  return reply.upkeep || isUnread(record, reply) ? step : undefined;
}

/** Whether Slack can't have received the reply: it is not being posted, and no attempt at it is in doubt. */
const isUnread = (record: RequestRecord, { key, delivery }: Reply): boolean =>
  delivery.status === 'owed' && delivery.tidies === undefined && !isUnderWay(record, key);

/** Adds the step of a change of the service and its reply, or lets the last step absorb it. */
export function withServiceStep(record: RequestRecord, added: Step, reply: Reply | undefined): RequestRecord {
  const { steps, messages, revision } = record;
  const upkeep = { ...newUpkeep(added.at), revision: revision + 1 };
  const former = absorbing(record);
  const formerReply = former && replyOf(record, former);
  if (!former || !formerReply || !reply) {
    const told = steps.filter((step) => isWordOfService(step) && replyOf(record, step));
    const isMany = told.length >= REPLIES_ONE_BY_ONE;
    const replies = reply ? [isMany ? { ...reply, upkeep } : reply] : [];
    return { ...record, steps: [...steps, added], messages: [...messages, ...replies] };
  }
  const absorbed = { ...added, n: former.n, flips: (former.flips ?? 0) + 1 };
  const changed: Reply = {
    ...formerReply,
    // A thread that took no reply before takes none now.
    to: formerReply.to === 'thread' ? reply.to : formerReply.to,
    ...(formerReply.upkeep && { upkeep: { ...formerReply.upkeep, revision: revision + 1 } }),
  };
  return {
    ...record,
    steps: [...steps.slice(0, -1), absorbed],
    messages: messages.map((message) => (message.key === changed.key ? changed : message)),
  };
}

/** Counts how often the service has changed its word up to a step; its first word is no change. */
export function changesUpTo({ steps }: RequestRecord, { n }: Step): number {
  const words = steps
    .filter((step) => step.n <= n && isWordOfService(step))
    .reduce((sum, { flips = 0 }) => sum + 1 + flips, 0);
  return words - 1;
}
