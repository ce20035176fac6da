/** Saves the result of an effect, also where its claim was lost meanwhile. */

import type { Delivery } from '../../outbox/delivery.ts';
import type { Log } from '../../outbox/ports.ts';
import type { Condition } from '../../outbox/record-store.ts';
import { followed } from '../model/changes/moved-channel.ts';
import type { IncomingEvent } from '../model/events/apply-event.ts';
import { deliveryOf } from '../model/facts/messages.ts';
import type { Timings } from '../model/pending-effects.ts';
import { type Claim, fieldsOf, type RequestRecord } from '../model/record.ts';
import type { RequestStore } from '../ports/ports.ts';
import { updateRecord } from '../store/entry.ts';
import type { ResultContext } from './apply-posting.ts';
import type { Applied, Claimed, Performed } from './effects.ts';

export type SaveDeps = {
  store: RequestStore;
  /** Gives an event to the request it is about, except `except`: for events buffered in the wrong one. */
  recordEvent: (incoming: IncomingEvent, except: string) => Promise<unknown>;
  timings: Timings;
  log: Log;
  sleep: (ms: number) => Promise<void>;
  /** Aborted at shutdown: effects under way finish, and no new one begins. */
  stopping: AbortSignal;
};

/** Wait between two tries to save a result while the storage is unavailable. */
const SAVE_RETRY_MS = 1_000;
/** The number of tries during shutdown, which is limited in time. */
const SAVE_TRIES_AT_STOP = 20;

/**
 * Saves the result, whatever else was written meanwhile, and for as long as this process lives: nobody else knows it.
 */
export async function saveResult(deps: SaveDeps, claimed: Claimed, done: Performed): Promise<void> {
  let triesAtStop = 0;
  for (;;) {
    try {
      if (await trySaveResult(deps, claimed, done)) return;
    } catch (error) {
      if (deps.stopping.aborted && ++triesAtStop >= SAVE_TRIES_AT_STOP) throw error;
      deps.log.error(
        { ...fieldsOf(claimed), result: done.result, err: error },
        'result not saved yet, will retry',
      );
      await deps.sleep(SAVE_RETRY_MS);
    }
  }
}

async function trySaveResult(deps: SaveDeps, claimed: Claimed, done: Performed): Promise<boolean> {
  const read = await deps.store.get(claimed);
  if (!read) return true;
  const { claim } = claimed;
  const mine = isHolder(read.record, claim);
  const context = { claim, rendered: claimed.revision, now: read.now, timings: deps.timings };
  const applied = resultApplied(done, mine, read.record, context);
  if (!applied) return true;
  const { unmatched } = applied;
  // The effect began before a channel moved.
  const record = followed(applied.record);
  const written = await write(deps, read.record, { record: mine ? withoutClaim(record) : record, unmatched });
  const isWritten = written.type === 'updated';
  if (isWritten) reportUndelivered(deps, { claim, done }, read.record, record);
  return isWritten;
}

/**
 * Applies the result. If the claim was lost, another process may have continued, so only what is still true is applied.
 */
function resultApplied(
  done: Performed,
  mine: boolean,
  record: RequestRecord,
  context: ResultContext,
): Applied | undefined {
  const apply = mine ? done.apply : done.applyLate;
  return apply?.(record, context);
}

/** Whether the record carries exactly this claim. */
export function isHolder(record: RequestRecord | undefined, { owner, startedAt }: Claim): boolean {
  const claim = record?.claim;
  return claim?.owner === owner && claim.startedAt === startedAt;
}

/**
 * Logs a message that could not be delivered anywhere, or copies that could not be searched for, because nobody else
 * can be told.
 */
function reportUndelivered(
  { log }: SaveDeps,
  { claim, done }: { claim: Claim; done: Performed },
  before: RequestRecord,
  after: RequestRecord,
): void {
  if (!('messageKey' in claim)) return;
  const { messageKey } = claim;
  const [former, now] = [deliveryOf(before, messageKey), deliveryOf(after, messageKey)];
  const fields = { ...fieldsOf(after), message: messageKey, result: done.result };
  const isGivenUp = now?.status === 'given_up' && former?.status !== 'given_up';
  if (isGivenUp && messageKey.type === 'reply') log.error(fields, 'reply not delivered');
  if (isGivenUp && messageKey.type === 'notification') log.warn(fields, 'notification not delivered');
  const tidies = (delivery: Delivery | undefined) => delivery?.tidies?.length ?? 0;
  if (claim.effect === 'tidy' && done.result.startsWith('refused') && tidies(now) < tidies(former))
    log.error(fields, 'duplicate messages may remain: Slack has refused the search for hours');
}

function withoutClaim({ claim: _released, ...record }: RequestRecord): RequestRecord {
  return record;
}

/** Gives events that are not about this request to their own record first, so that none is lost in between. */
export async function write(
  deps: SaveDeps,
  before: RequestRecord,
  { record, unmatched }: Applied,
  conditions: readonly Condition[] = [],
) {
  const { workspace, kind, id } = record;
  for (const event of unmatched) await deps.recordEvent({ workspace, kind, event }, id);
  return updateRecord(deps, { before, after: record }, conditions);
}
