/** Tells the outbox how requests work: what is pending, how an effect begins and is performed, and how it is written. */
import { type Delivery, isOver } from '../../outbox/delivery.ts';
import { isSeenEffect, shownAnew, withUpkeep } from '../../outbox/message.ts';
import type { Log, Wait } from '../../outbox/ports.ts';
import type { Condition } from '../../outbox/record-store.ts';
import type { Begun, Change, Holder, Outcome, Read, RecordType } from '../../outbox/record-type.ts';
import { withPause } from '../model/acts.ts';
import { WaitingReason } from '../model/cause.ts';
import { withMovesRepeated } from '../model/channels.ts';
import type { IncomingEvent } from '../model/events-and-calls.ts';
import { type Effect, type OutsideEffect, pendingEffects } from '../model/pending-effects.ts';
import { type Claim, fieldsOf, type NoteContent, type RequestRecord } from '../model/record.ts';
import { isNote, messageWithKey, votedOn, withMessage } from '../model/record-messages.ts';
import { asksApprovers, withNote, withProblem } from '../model/record-notes.ts';
import type { Timings } from '../model/timings.ts';
import { transition, withCallPutOff } from '../model/transition.ts';
import type { Messenger, OrderCalls, RequestStore, Workspaces } from '../ports/ports.ts';
import { replaceOrYieldSlot, whileInForce } from '../store/writes.ts';
import type { Applied } from './apply-call.ts';
import { applyExpiredClaim, claimEffect, isOutside, performEffect } from './effects.ts';

export type RequestTypeDeps = {
  store: RequestStore;
  messenger: Messenger;
  calls: OrderCalls;
  inForce: Workspaces['inForce'];
  /** Takes the tokens that the effect needs from the rate limiter (wired in compose/background.ts). */
  limit: (record: RequestRecord, effect: OutsideEffect) => Promise<Wait>;
  /** Counts the approvers of a request again. @throws if Slack can't be read */
  countApprovers: (record: RequestRecord, now: number) => Promise<RequestRecord>;
  /** Gives an event to the request that it is about. @param bufferedBy the id of the request that had buffered it by mistake */
  recordEvent: (incoming: IncomingEvent, bufferedBy: string) => Promise<unknown>;
  timings: Timings;
  log: Log;
};

type Begin = Begun<RequestRecord>;

/** The type of message that a key begins with: "reply" of "reply:3". */
const typeIn = (messageKey: string): string => messageKey.split(':', 1).join();

export function createRequestType(deps: RequestTypeDeps): RecordType<RequestRecord, Effect> {
  const { store, timings } = deps;
  const changing = (applied: Applied) => changeOf(deps, applied);
  return {
    store,
    fieldsOf,
    level: 'info',
    nameOf: (effect) =>
      'messageKey' in effect ? `${effect.type}_${typeIn(effect.messageKey)}` : effect.type,
    pending: (record) => pendingEffects(record, timings),
    begin: (read, effect, holder) => begin(deps, read, effect, holder),
    async perform(effect, record, guard) {
      if (!isOutside(effect)) throw new Error(`${effect.type} needs no claim.`);
      const done = await performEffect(deps, effect, record, guard);
      const applying = (apply: typeof done.apply) => (current: RequestRecord, now: number) =>
        changing(apply(current, { claim: record.claim, rendered: record.revision, now, timings }));
      const { outcome, apply, applyLate } = done;
      return { outcome, apply: applying(apply), applyLate: applyLate && applying(applyLate) };
    },
    expired: (record, claim, now) => changing(applyExpiredClaim(record, claim, timings, now)),
    write: (before, after, conditions) => replaceOrYieldSlot(deps, before, after, conditions),
    report: (before, after, { claim, outcome }) => reportUndelivered(deps, { claim, outcome }, before, after),
  };
}

/**
 * The change of the record by the result of an effect. Events that are not about this request are given to their own
 * record first, so that none is lost in between. A channel may have moved since the effect began: its former id is
 * replaced again.
 */
function changeOf(
  { recordEvent }: RequestTypeDeps,
  { record, unmatched = [] }: Applied,
): Change<RequestRecord> {
  const { workspace, kind, id } = record;
  const next = withMovesRepeated(record);
  if (unmatched.length === 0) return { record: next };
  return {
    record: next,
    async first() {
      for (const event of unmatched) await recordEvent({ workspace, kind, event }, id);
    },
  };
}

const changed = (record: RequestRecord): Begin => ({ type: 'change', change: { record } });

/** The interval at which a request that is held back looks for the end of the pause, in case its wake-up was lost. */
const PAUSE_CHECK_MS = 60_000;

async function begin(
  deps: RequestTypeDeps,
  read: Read<RequestRecord>,
  effect: Effect,
  holder: Holder,
): Promise<Begin> {
  const { record, now } = read;
  switch (effect.type) {
    case 'expire':
      return changed(transition(record, { type: 'expire' }, now) ?? record);
    case 'add_note':
      return changed(await withNoteDue(deps, read, effect.note));
    case 'report_unconfirmed': {
      const { problem = 'approvers_unreadable' } = record.approval?.confirmation ?? {};
      return changed(withProblem(record, problem, now));
    }
    case 'check_pause': {
      const { settings } = await deps.inForce(record.workspace);
      const next = withPause(record, settings.paused, now);
      return next === record ? { type: 'wait', ms: PAUSE_CHECK_MS } : changed(next);
    }
    case 'call':
    case 'confirm_votes': {
      const inForce = await deps.inForce(record.workspace);
      if (inForce.settings.paused) return changed(withPause(record, inForce.settings.paused, now));
      return beginLimited(deps, read, effect, { holder, conditions: [whileInForce(inForce)] });
    }
    default:
      return beginLimited(deps, read, effect, { holder });
  }
}

/**
 * Adds a note that has fallen due. The approvers are counted before they are reminded, because Slack does not report that one of
 * them was deactivated: if too few are left, nobody is reminded, and an admin is told, unless they were within the hour.
 * The message that they vote on is updated before the reminder is posted: nothing else notices that it was deleted.
 */
async function withNoteDue(
  { countApprovers }: Pick<RequestTypeDeps, 'countApprovers'>,
  { record, now }: Read<RequestRecord>,
  note: NoteContent,
): Promise<RequestRecord> {
  if (!asksApprovers(note)) return withNote(record, note, now);
  // The reminder must not be lost because Slack can't be read for this.
  const counted = await countApprovers(record, now).catch(() => record);
  if (counted.approval?.problem === 'too_few') return counted;
  const updating = withMessage(counted, votedOn(counted).key, (message) => withUpkeep(message, shownAnew));
  return withNote(updating, note, now);
}

/**
 * Claims an effect, unless a rate limit postpones it. A call that must not be made now is shown on the card; Slack's limits
 * only delay an effect a little.
 */
async function beginLimited(
  { limit }: RequestTypeDeps,
  { record, now }: Read<RequestRecord>,
  effect: OutsideEffect,
  { holder, conditions = [] }: { holder: Holder; conditions?: readonly Condition[] },
): Promise<Begin> {
  const wait = await limit(record, effect);
  if (wait.ms > 0) {
    const why = WaitingReason.safeParse(wait.why);
    return effect.type === 'call' && why.success
      ? changed(withCallPutOff(record, why.data, now + wait.ms))
      : { type: 'wait', ms: wait.ms };
  }
  return {
    type: 'claim',
    record: claimEffect(record, effect, holder),
    isSeen: effect.type === 'call' || isSeenEffect(effect.type),
    conditions,
  };
}

/**
 * Logs a message that could not be delivered anywhere, or copies that could not be found or removed, because nobody else can be
 * told.
 */
function reportUndelivered(
  { log }: { log: Log },
  { claim, outcome }: { claim: Claim; outcome: Outcome },
  before: RequestRecord,
  after: RequestRecord,
): void {
  if (!('messageKey' in claim)) return;
  const { messageKey } = claim;
  const message = messageWithKey(after, messageKey);
  const [former, current] = [messageWithKey(before, messageKey)?.delivery, message?.delivery];
  const fields = { ...fieldsOf(after), message: messageKey, ...outcome };
  const isGivenUp = current?.status === 'given_up' && former?.status !== 'given_up';
  const isLost = current !== undefined && isOver(current);
  if (isLost && message?.type === 'reply') log.error(fields, 'reply not delivered');
  if (isGivenUp && message && isNote(message)) log.warn(fields, 'note not delivered');
  const tidies = (delivery: Delivery | undefined) => delivery?.tidies?.length ?? 0;
  if (claim.effect === 'tidy' && outcome.code !== undefined && tidies(current) < tidies(former))
    log.error(
      fields,
      'duplicate messages may remain: Slack has refused for hours to let them be found or removed',
    );
}
