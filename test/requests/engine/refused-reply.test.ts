/** A reply that Slack takes nowhere: not in the thread, not as a direct message and not in the channel. */
import { describe, expect, test } from 'vitest';
import type { TidyResult } from '../../../src/outbox/delivery.ts';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { applyTidy } from '../../../src/requests/engine/apply-update.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import type { Reply, RequestRecord } from '../../../src/requests/model/record.ts';
import { messageNamed, repliesOf, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition, withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { advanceRequest, nextEffect } from '../../support/requests/advance-request.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, event, queued, replied, said, T0 } from '../../support/requests/records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const OUTCOME = 'reply:4';

const decided = (status: 'denied' | 'approved', after: number) =>
  event({ status, createdAt: T0, updatedAt: T0 + after });

/** The record once Slack has refused a reply in each of its places. */
function refusedEverywhere(
  record: RequestRecord,
  messageKey: string,
  now: number,
  places = 3,
): RequestRecord {
  const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: now, expiresAt: now + 1 };
  const context = { claim, rendered: record.revision, now, timings: TIMINGS };
  const refused = { type: 'refused', code: 'ekm_access_denied' } as const;
  const tries = Array.from({ length: places });
  return tries.reduce<RequestRecord>((next) => applyPosting(next, messageKey, refused, context), record);
}

/** A request in review, whose outcome comes while Slack refuses all posts. `tries`: when the outcome was refused in the thread. */
async function refusedOutcome() {
  const harness = createEngineHarness({ answer: said('pending', T0) });
  await harness.create();
  await harness.play();
  const slack = { refuses: true, isInDoubt: false };
  const tries: number[] = [];
  const errors: object[] = [];
  const base = harness.deps();
  const messenger: typeof base.messenger = {
    ...base.messenger,
    async post(record, key, guard) {
      if (slack.isInDoubt) {
        slack.isInDoubt = false;
        return { type: 'doubtful', code: 'timeout' };
      }
      if (!slack.refuses) return base.messenger.post(record, key, guard);
      if (record.messages.find((message) => message.key === key)?.to === 'thread')
        tries.push(harness.now() - began);
      return { type: 'refused', code: 'ekm_access_denied' };
    },
  };
  const error = (fields: object, message: string) => void errors.push({ ...fields, said: message });
  const advance = () => advanceRequest(harness.deps({ messenger, log: { ...base.log, error } }), queued());
  const began = harness.now();
  await harness.recordEvent(decided('denied', 1));
  /** Lets time pass while something is pending, at most so long. */
  async function play(longestMs: number): Promise<void> {
    const end = harness.now() + longestMs;
    for (let ms = await advance(); ms !== undefined && harness.now() + ms <= end; ms = await advance())
      harness.pass(ms);
  }
  const outcomes = () => harness.slack.filter(({ key }) => key.endsWith(OUTCOME)).map(({ place }) => place);
  return { ...harness, play, slack, tries, errors, outcomes, posted: harness.slack };
}

describe('a reply that Slack refuses everywhere', () => {
  test('is tried again after a second, then after twice as long each time, and is posted in the thread', async () => {
    const { play, slack, tries, errors, outcomes } = await refusedOutcome();
    await play(20_000);
    expect(tries).toEqual([0, 1, 2, 4, 8, 16].map((seconds) => seconds * 1_000));
    slack.refuses = false;
    await play(20_000);
    expect(outcomes()).toEqual(['thread']);
    expect(errors).toEqual([]);
  });

  test('is given up after a week, and the log says so', async () => {
    const { play, tries, errors, slack, outcomes } = await refusedOutcome();
    await play(2 * WEEK);
    expect(tries.at(-1)).toBeGreaterThanOrEqual(WEEK);
    expect(tries.length).toBeLessThan(30);
    expect(errors).toMatchObject([
      { said: 'reply not delivered', message: OUTCOME, code: 'ekm_access_denied' },
    ]);
    slack.refuses = false;
    await play(WEEK);
    expect(outcomes()).toEqual([]);
  });

  describe('and is followed by another one', () => {
    const next = (record: RequestRecord, now: number) =>
      nextEffect(record, now, (effect) => 'messageKey' in effect && effect.messageKey.startsWith('reply'));
    const post = (messageKey: string) => ({ type: 'effect', effect: { type: 'post', messageKey } });
    /** Slack could not be reached before, for an hour after the outcome. */
    const FIRST = T0 + HOUR;
    /** A person corrects the outcome so long after the first refusal of its reply, which waits. */
    function corrected(after: number): RequestRecord {
      const denied = applyEvent(replied(answered(said('pending', T0))), decided('denied', 1), T0).record;
      const refused = refusedEverywhere(denied, OUTCOME, FIRST);
      const waiting = refusedEverywhere(refused, OUTCOME, FIRST + after);
      expect(next(waiting, FIRST + after + 1)).toMatchObject({
        type: 'wait',
        until: FIRST + after + Math.max(after, 1_000),
      });
      const act = { type: 'person', by: 'U9', action: 'approved' } as const;
      return transition(waiting, act, FIRST + after + 1) as RequestRecord;
    }

    test.each([5 * MINUTE, HOUR])('is tried at once, and first', (after) => {
      expect(next(corrected(after), FIRST + after + 1)).toEqual(post(OUTCOME));
    });

    test('is tried at once where the service has said that', () => {
      const waiting = refusedEverywhere(answered(said('pending', T0)), 'reply:3', T0 + HOUR);
      const { record } = applyEvent(waiting, decided('denied', 1), T0 + HOUR + 1);
      expect(repliesOf(record).at(-1)?.key).toBe(OUTCOME);
      expect(next(record, T0 + HOUR + 1)).toEqual(post('reply:3'));
    });

    test.each([1, 4 * MINUTE, 9 * MINUTE])(
      'holds that up until ten minutes after its first refusal (%i)',
      (after) => {
        let [record, at] = [corrected(after), FIRST + after + 1];
        const isWaiting = () => messageNamed(record, OUTCOME).delivery.status === 'owed';
        const tries: number[] = [];
        while (isWaiting()) {
          tries.push(at);
          record = refusedEverywhere(record, OUTCOME, at);
          const then = next(record, at);
          at = isWaiting() && then.type === 'wait' ? (then.until ?? 0) : at;
        }
        expect(tries.length).toBeGreaterThan(1);
        expect(tries.at(-1)).toBe(FIRST + 10 * MINUTE);
        expect(next(record, at)).toEqual(post('reply:5'));
      },
    );

    test('is given up after that one try where it was first refused longer ago', () => {
      const refused = refusedEverywhere(corrected(HOUR), OUTCOME, FIRST + HOUR + 1);
      expect(messageNamed(refused, OUTCOME).delivery.status).toBe('given_up');
      expect(next(refused, FIRST + HOUR + 1)).toEqual(post('reply:5'));
    });
  });

  describe('and may be in its thread', () => {
    const key = 'reply:3';
    const doubtful = { status: 'doubtful', tries: 1, notBefore: T0, since: T0 - HOUR, until: T0 } as const;
    const inDoubt = withDelivery(answered(said('pending', T0)), key, () => doubtful);
    const givenUp = refusedEverywhere(inDoubt, key, T0);
    const none = { removed: 0, linked: 0, voters: [], uncounted: [], left: [] };
    const NOTHING = { type: 'tidied', kept: undefined, ...none } as const;

    /** Applies the result of looking for copies in the thread. */
    function tidied(result: TidyResult, now = T0 + 6 * MINUTE, record = givenUp): Reply {
      const { to, thread } = messageNamed(record, key).delivery.tidies?.[0] ?? {};
      const claim = {
        effect: 'tidy' as const,
        messageKey: key,
        owner: 'o',
        startedAt: now,
        expiresAt: now + 1,
      };
      const context = { claim, rendered: record.revision, now, timings: TIMINGS };
      return messageNamed(applyTidy(record, { messageKey: key, to, thread }, result, context), key) as Reply;
    }

    test('is in the thread in the end where it was in doubt first, and the log has no error', async () => {
      const { play, slack, errors, outcomes } = await refusedOutcome();
      slack.isInDoubt = true;
      await play(MINUTE);
      expect([outcomes(), errors]).toEqual([[], []]);
      slack.refuses = false;
      await play(10 * MINUTE);
      expect([outcomes(), errors]).toEqual([['thread'], []]);
    });

    test('is an error in the log where it stays refused', async () => {
      const { play, slack, errors } = await refusedOutcome();
      slack.isInDoubt = true;
      await play(2 * WEEK);
      expect(errors).toMatchObject([{ said: 'reply not delivered', message: OUTCOME }]);
    });

    test('is not posted again until that was looked for: it would be there twice', () => {
      const { delivery } = messageNamed(givenUp, key);
      expect(delivery).toMatchObject({ status: 'given_up', tidies: [{ to: 'thread' }] });
    });

    test('is tried again once it is known that it is not', () => {
      const now = T0 + 6 * MINUTE;
      const owed = { to: 'thread', delivery: { status: 'owed', notBefore: now } };
      expect(tidied(NOTHING, now)).toMatchObject(owed);
    });

    test('is tried again directly where its card is gone by then', () => {
      const { to, delivery } = tidied(
        NOTHING,
        T0 + 6 * MINUTE,
        withCardGivenUp(givenUp, 'message_not_found'),
      );
      expect([to, delivery.status]).toEqual(['requester', 'owed']);
    });

    const kept = { channel: 'C1', ts: '1.1' };
    test.each<[string, TidyResult, number, string]>([
      ['it is', { ...NOTHING, kept }, MINUTE, 'posted'],
      ['that cannot be known', { type: 'refused', code: 'not_in_channel' }, DAY, 'given_up'],
      ['a copy is still to be removed', { ...NOTHING, left: ['1.1'] }, MINUTE, 'given_up'],
      ['a week has passed', NOTHING, WEEK, 'given_up'],
    ])('is not tried again where %s', (_why, result, after, status) => {
      expect(tidied(result, T0 + after).delivery.status).toBe(status);
    });

    test('is not tried again where another one follows: that may be posted already', () => {
      const followed = applyEvent(givenUp, decided('denied', 1), T0 + MINUTE).record;
      expect(repliesOf(followed).at(-1)?.key).not.toBe(key);
      expect(tidied(NOTHING, T0 + 6 * MINUTE, followed).delivery.status).toBe('given_up');
    });
  });

  test('is tried again directly where the mistake is the requester’s own, or the card is gone', () => {
    const mistaken = answered({ type: 'refused', httpStatus: 400, code: 'VALIDATION_ERROR', details: [] });
    const key = 'reply:3';
    expect(messageNamed(refusedEverywhere(mistaken, key, T0), key)).toMatchObject({
      to: 'requester',
      delivery: { status: 'owed', notBefore: T0 + 1_000 },
    });
    const done = withCardGivenUp(answered(said('canceled', T0)), 'message_not_found');
    expect(messageNamed(refusedEverywhere(done, key, T0, 2), key).to).toBe('requester');
  });

  test('is tried for another week once the service says something else', () => {
    const denied = applyEvent(replied(answered(said('pending', T0))), decided('denied', 1), T0).record;
    const since = T0 + WEEK - HOUR;
    const approved = applyEvent(refusedEverywhere(denied, OUTCOME, T0), decided('approved', 2), since).record;
    expect(repliesOf(approved).at(-1)?.key).toBe(OUTCOME);
    const refused = refusedEverywhere(approved, OUTCOME, since + DAY);
    expect(messageNamed(refused, OUTCOME).delivery.status).toBe('owed');
  });

  test('tells what the service has said since, as soon as it says so', async () => {
    const { play, slack, outcomes, recordEvent, now } = await refusedOutcome();
    await play(HOUR);
    slack.refuses = false;
    const since = now();
    await recordEvent(decided('approved', 2));
    await play(1_000);
    expect(now()).toBe(since);
    expect(outcomes()).toEqual(['thread']);
  });
});
