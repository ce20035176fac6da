import { describe, expect, test } from 'vitest';
import { givenUp } from '../../../src/outbox/delivery.ts';
import { applyUpdate } from '../../../src/requests/engine/apply-update.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { callsOf } from '../../../src/requests/model/events-and-calls.ts';
import { pendingEffects } from '../../../src/requests/model/pending-effects.ts';
import { currentStep, type RequestRecord } from '../../../src/requests/model/record.ts';
import { repliesOf, replyKey, replyOf, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition, withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { answered, event, replied, said, T0 } from '../../support/requests/records.ts';

const WORDS = ['denied', 'pending'] as const;

/** The service changes its word. @param each what happens to the record before each change */
function flipped(
  record: RequestRecord,
  times: number,
  each: (record: RequestRecord) => RequestRecord = (same) => same,
): RequestRecord {
  const from = callsOf(record)[0]?.heard?.last?.updatedAt ?? T0;
  return Array.from({ length: times }, (_, n) => n).reduce((next, n) => {
    const change = event({ status: WORDS[n % 2] ?? 'denied', updatedAt: from + n + 1 });
    return applyEvent(each(next), change, T0).record;
  }, record);
}

const reviewed = () => replied(answered(said('pending', T0)));

describe('a step of which nobody has read the reply', () => {
  test('absorbs what the service says next, and counts it', () => {
    const record = flipped(reviewed(), 4);
    expect(record.steps).toHaveLength(reviewed().steps.length + 1);
    expect(currentStep(record)).toMatchObject({ n: 4, state: 'under_review', flips: 3 });
    expect(record.state).toBe('under_review');
  });

  test('absorbs nothing once its reply is posted, is being posted, or is in doubt', () => {
    const once = flipped(reviewed(), 1);
    const messageKey = replyKey(currentStep(once).n);
    const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
    const doubtful = { status: 'doubtful' as const, tries: 1, notBefore: T0, since: T0, until: T0 };
    const tidies = [{ since: T0, until: T0, tries: 0, notBefore: T0 }];
    for (const record of [
      replied(once),
      { ...once, claim },
      withDelivery(once, messageKey, () => doubtful),
      withDelivery(once, messageKey, () => ({ status: 'owed', tries: 1, notBefore: T0, tidies })),
    ])
      expect(flipped({ ...record, state: 'under_review' }, 1).steps).toHaveLength(once.steps.length + 1);
  });

  test('absorbs nothing across the act of a person', () => {
    const denied = flipped(reviewed(), 2);
    const recorded = transition(
      denied,
      { type: 'person', by: 'U9', action: 'approved' },
      T0,
    ) as RequestRecord;
    const after = flipped(recorded, 1);
    expect(after.steps.map(({ state }) => state).slice(-3)).toEqual(['under_review', 'approved', 'denied']);
    expect(currentStep(after).flips).toBeUndefined();
  });
});

describe('after twenty replies about what the service said', () => {
  const many = (times: number) => flipped(reviewed(), times, replied);

  test('one reply is kept up to date, and the record does not grow', () => {
    const record = many(500);
    expect(repliesOf(record)).toHaveLength(21);
    expect(JSON.stringify(record).length).toBeLessThan(2 * JSON.stringify(many(21)).length);
    const { n, flips } = currentStep(record);
    expect(flips).toBe(500 - 20);
    expect(replyOf(record, { n })?.delivery.status).toBe('posted');
    expect(pendingEffects(record, TIMINGS).map(({ effect }) => effect)).toContainEqual({
      type: 'update',
      messageKey: replyKey(n),
    });
  });

  test('its update shows the newest change once, and another one if the service went on meanwhile', () => {
    const record = many(30);
    const { n } = currentStep(record);
    const messageKey = replyKey(n);
    const claim = { effect: 'update' as const, messageKey, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
    const context = { claim, rendered: record.revision, now: T0, timings: TIMINGS };
    const pending = (after: RequestRecord) =>
      pendingEffects(after, TIMINGS).filter(
        ({ effect }) => effect.type === 'update' && effect.messageKey.startsWith('reply'),
      );
    expect(pending(applyUpdate(record, messageKey, { type: 'posted' }, context))).toEqual([]);
    const further = flipped(record, 1);
    expect(pending(applyUpdate(further, messageKey, { type: 'posted' }, context))).toHaveLength(1);
  });

  test('what the service says after a person has acted has a reply of its own', () => {
    const record = many(30);
    const recorded = transition(record, { type: 'person', by: 'U9', action: 'denied' }, T0) as RequestRecord;
    const after = flipped(replied(recorded), 31);
    expect(repliesOf(after)).toHaveLength(repliesOf(recorded).length + 1);
  });

  test.each([
    [{ type: 'gone', code: 'message_not_found' }, ['post'], 0],
    // It still stands there: a second one would stand beside it.
    [{ type: 'out_of_reach', code: 'is_archived' }, [], 1],
  ] as const)('its words are posted anew where it was deleted (%o: %o)', (result, effects, more) => {
    const record = many(30);
    const { n } = currentStep(record);
    const messageKey = replyKey(n);
    const claim = { effect: 'update' as const, messageKey, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
    const context = { claim, rendered: record.revision, now: T0, timings: TIMINGS };
    const lost = applyUpdate(record, messageKey, result, context);
    const owed = pendingEffects(lost, TIMINGS).map(({ effect }) => effect);
    const ofReply = owed.filter((effect) => 'messageKey' in effect && effect.messageKey === messageKey);
    expect(ofReply.map(({ type }) => type)).toEqual(effects);
    expect(repliesOf(flipped(replied(lost), 3))).toHaveLength(repliesOf(record).length + more);
  });

  test('it is followed by another one where it was deleted after it had shown the last word', () => {
    const record = many(30);
    const messageKey = replyKey(currentStep(record).n);
    const claim = { effect: 'update' as const, messageKey, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
    const context = { claim, rendered: record.revision, now: T0, timings: TIMINGS };
    const shown = applyUpdate(record, messageKey, { type: 'posted' }, context);
    const gone = applyUpdate(shown, messageKey, { type: 'gone', code: 'message_not_found' }, context);
    expect(pendingEffects(gone, TIMINGS).map(({ effect }) => effect)).not.toContainEqual({
      type: 'post',
      messageKey,
    });
    expect(repliesOf(flipped(gone, 3, replied))).toHaveLength(repliesOf(record).length + 1);
  });

  test('a reply in the thread remains one, also if the card is deleted', () => {
    const record = many(30);
    const bare = withCardGivenUp(record, 'message_not_found');
    expect(replyOf(flipped(bare, 3), currentStep(record))).toMatchObject({ to: 'thread' });
  });

  test('a reply that was given up is followed by another one, whose changes nobody misses', () => {
    const record = many(30);
    const lost = withDelivery(record, replyKey(currentStep(record).n), (delivery) =>
      givenUp(delivery, 'ekm_access_denied'),
    );
    const [former, next] = repliesOf(flipped(lost, 3)).slice(-2);
    expect(former?.delivery.status).toBe('given_up');
    expect(next).toMatchObject({ step: (former?.step ?? 0) + 1, delivery: { status: 'owed' } });
  });
});
