import { describe, expect, test } from 'vitest';
import { owed, type PostResult, type UpdateResult } from '../../../src/outbox/delivery.ts';
import { newUpkeep } from '../../../src/outbox/message.ts';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { applyUpdate } from '../../../src/requests/engine/apply-update.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf, withDelivery, withMessage } from '../../../src/requests/model/record-messages.ts';
import { isStillWanted, withNote, withProblem } from '../../../src/requests/model/record-notes.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { nextEffect } from '../../support/requests/advance-request.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { T0, withCardShown } from '../../support/requests/records.ts';

const messageKey = 'approval:1';
const DOUBTFUL = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 } as const;
const settling = (now: number) => ({
  claim: { effect: 'post' as const, messageKey, owner: 'o', startedAt: now, expiresAt: now + 1 },
  rendered: 1,
  now,
  timings: TIMINGS,
});

/** Its card stands; it is to be shown in the approvals channel. */
function awaiting(): RequestRecord {
  const record = waitingRecord({ ...POLICY, channel: 'C2', shownIn: 'approvals_channel' });
  return applyPosting(record, 'card', { type: 'posted', channel: 'C1', ts: '1.0' }, settling(T0));
}

const post = (record: RequestRecord, result: PostResult) =>
  applyPosting(record, messageKey, result, settling(T0));
const update = (record: RequestRecord, result: UpdateResult) =>
  applyUpdate(record, messageKey, result, settling(T0));
const shown = () => post(awaiting(), { type: 'posted', channel: 'C2', ts: '2.0' });
const alarms = ({ messages }: RequestRecord) => messages.filter(({ type }) => type === 'alarm').length;

describe('what the approvers are shown', () => {
  test('is tried again where their channel refuses it, and an admin hears of it once', () => {
    const refused = post(post(awaiting(), { type: 'refused', code: 'x' }), { type: 'refused', code: 'x' });
    expect(refused).toMatchObject({ state: 'awaiting_approval', approval: { problem: 'channel_refused' } });
    expect(alarms(refused)).toBe(1);
    const posted = post(refused, { type: 'posted', channel: 'C2', ts: '2.0' });
    expect(posted.approval?.problem).toBeUndefined();
  });

  test('is tried again ever later while their channel refuses it', () => {
    const once = post(awaiting(), { type: 'refused', code: 'x' });
    const twice = post(once, { type: 'refused', code: 'x' });
    const waits = [once, twice].map(({ messages }) => {
      const delivery = messages.find(({ key }) => key === messageKey)?.delivery;
      return delivery?.status === 'owed' ? [delivery.tries, delivery.notBefore - T0] : [];
    });
    expect(waits.map(([tries]) => tries)).toEqual([1, 2]);
    expect(waits[1]?.[1]).toBeGreaterThan(waits[0]?.[1] ?? Number.POSITIVE_INFINITY);
  });

  test('is given up once nobody votes any more, but searched for first if it may be in Slack', () => {
    const withdraw = { type: 'person', by: 'U1', action: 'withdraw' } as const;
    const ended = transition(awaiting(), withdraw, T0) as RequestRecord;
    const statusAfter = (result: PostResult) =>
      post(ended, result).messages.find(({ key }) => key === messageKey)?.delivery.status;
    expect(statusAfter({ type: 'later', code: 'x' })).toBe('given_up');
    expect(statusAfter({ type: 'refused', code: 'x' })).toBe('given_up');
    expect(statusAfter({ type: 'doubtful', code: 'x' })).toBe('doubtful');
  });

  test('that is found, rather than posted now, may show an older request: it is updated at once', () => {
    const found = applyPosting(
      withDelivery(awaiting(), messageKey, () => DOUBTFUL),
      messageKey,
      { type: 'posted', channel: 'C2', ts: '2.0' },
      { ...settling(T0), claim: { ...settling(T0).claim, effect: 'find' } },
    );
    const upkeepOf = ({ messages }: RequestRecord) => messages.find(({ key }) => key === messageKey)?.upkeep;
    expect(upkeepOf(found)).toMatchObject({ shown: 0, updateAt: T0 });
    expect(upkeepOf(shown())).toMatchObject({ shown: 1, updateAt: T0 + TIMINGS.apartMs });
  });

  test('stays owed an update after the end of the request, if nobody can see it at present', () => {
    const withdraw = { type: 'person', by: 'U1', action: 'withdraw' } as const;
    const ended = transition(shown(), withdraw, T0) as RequestRecord;
    const hidden = { type: 'out_of_reach', code: 'is_archived' } as const;
    const delivered = (record: RequestRecord) =>
      record.messages.find(({ key }) => key === messageKey)?.delivery.status;
    expect(delivered(update(ended, hidden))).toBe('posted');
    // While they vote, it is a problem of the approvers.
    expect(update(shown(), { ...hidden, code: 'channel_archived' }).approval?.problem).toBe(
      'channel_archived',
    );
  });

  test('has its trouble told by a note and the card if the admin cannot be reached', () => {
    const refused = post(awaiting(), { type: 'refused', code: 'x' });
    const unheard = applyPosting(refused, 'alarm:1', { type: 'refused', code: 'x' }, settling(T0));
    expect(notesOf(unheard).map(({ type }) => type)).toEqual(['alarm', 'admin_unreachable']);
    expect(unheard.revision).toBe(refused.revision + 1);
  });

  test('is waited for where their channel is archived: it can be fixed', () => {
    const archived = update(shown(), { type: 'out_of_reach', code: 'channel_archived' });
    expect(archived).toMatchObject({ state: 'awaiting_approval', approval: { problem: 'channel_archived' } });
    expect(alarms(archived)).toBe(1);
    const next = nextEffect(withCardShown(archived), T0);
    expect(next).toMatchObject({
      type: 'effect',
      effect: { type: 'post', messageKey: 'alarm:1' },
    });
  });

  test('has its trouble told only while that lasts, and once more if it comes back', () => {
    const refused = post(awaiting(), { type: 'refused', code: 'x' });
    const alarm = { type: 'effect', effect: { type: 'post', messageKey: 'alarm:1' } };
    const next = (record: RequestRecord) => nextEffect(withCardShown(record), T0);
    expect(next(refused)).toEqual(alarm);
    const posted = post(refused, { type: 'posted', channel: 'C2', ts: '2.0' });
    expect(next(posted)).not.toEqual(alarm);
    expect(next(withProblem(posted, 'channel_refused', T0))).toEqual(alarm);
    const unreachable = withNote(refused, { type: 'admin_unreachable' }, T0);
    const isWanted = (record: RequestRecord) => notesOf(record).map((note) => isStillWanted(record, note));
    expect(isWanted(unreachable)).toEqual([true, true]);
    expect(isWanted(withProblem(unreachable, undefined, T0))).toEqual([false, false]);
  });

  test('has no problem any more once Slack lets it be changed, unless external users see its channel', () => {
    for (const [code, problem] of [
      ['channel_archived', undefined],
      ['channel_shared', 'channel_shared'],
    ] as const) {
      const troubled = update(shown(), { type: 'gone', code });
      expect(update(troubled, { type: 'kept', code: 'edit_window_closed' }).approval?.problem).toBe(code);
      expect(update(troubled, { type: 'posted' }).approval?.problem).toBe(problem);
    }
  });

  test('is updated once a new card is posted, which it links', () => {
    const standing = withMessage(shown(), messageKey, (message) => ({
      ...message,
      upkeep: { ...newUpkeep(T0), shown: shown().revision },
    }));
    const anew = withDelivery(standing, 'card', () => owed(T0));
    const update = { type: 'effect', effect: { type: 'update', messageKey } };
    const next = (record: RequestRecord) => nextEffect(withCardShown(record), T0);
    expect(next(standing)).not.toEqual(update);
    const linked = applyPosting(anew, 'card', { type: 'posted', channel: 'C1', ts: '3.0' }, settling(T0));
    expect(next(linked)).toEqual(update);
  });

  test('ends the request where somebody has deleted it', () => {
    expect(update(shown(), { type: 'gone', code: 'message_not_found' }).state).toBe('not_sent');
  });
});
