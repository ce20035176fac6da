import { describe, expect, test } from 'vitest';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { applyUpdate } from '../../../src/requests/engine/apply-update.ts';
import { withSharing } from '../../../src/requests/model/channels.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { withCardGivenUp } from '../../../src/requests/model/transition.ts';
import { nextEffect } from '../../support/requests/advance-request.ts';
import { answered, calling, carded, REQUEST, said, T0 } from '../../support/requests/records.ts';

describe('a record', () => {
  test('is shown anew when its channel is shared, and its requester is told once', () => {
    const before = carded();
    const shared = withSharing(before, true, T0);
    expect(shared).toMatchObject({ inSharedChannel: true, revision: before.revision + 1 });
    expect(notesOf(shared)).toMatchObject([{ type: 'shared' }]);
    const again = withSharing(withSharing(shared, false, T0), true, T0);
    expect(again).toMatchObject({ inSharedChannel: true, revision: before.revision + 3 });
    expect(notesOf(again)).toHaveLength(1);
    expect(withSharing(again, true, T0)).toBe(again);
  });

  test.each(['posted', 'kept'] as const)(
    'is told of only once its card was updated, or was not: %s',
    (type) => {
      const shared = withSharing(carded(), true, T0);
      const next = (record: RequestRecord) =>
        nextEffect(record, T0 + TIMINGS.apartMs, (effect) => JSON.stringify(effect).includes('shared:1'));
      expect(next(shared)).toMatchObject({ type: 'wait', until: undefined });
      const claim = {
        effect: 'update' as const,
        messageKey: 'card',
        owner: 'o',
        startedAt: T0,
        expiresAt: T0,
      };
      const s = { claim, rendered: shared.revision, now: T0, timings: TIMINGS };
      const updated = applyUpdate(shared, 'card', { type, code: 'edit_window_closed' }, s);
      expect(next(updated)).toEqual({ type: 'effect', effect: { type: 'post', messageKey: 'shared:1' } });
    },
  );

  test('is told of at once where its card is gone: nothing is updated', () => {
    const gone = withCardGivenUp(withSharing(carded(), true, T0), 'message_not_found');
    const post = { type: 'effect', effect: { type: 'post', messageKey: 'shared:1' } };
    expect(nextEffect(gone, T0, (effect) => JSON.stringify(effect).includes('shared:1'))).toEqual(post);
  });

  test('that has ended is shown anew, and nobody is told', () => {
    const ended = answered(said('canceled'));
    const shown = withSharing(ended, true, T0);
    expect(shown.revision).toBe(ended.revision + 1);
    expect(notesOf(shown)).toEqual([]);
  });

  test('learns from what was posted or updated that its channel is shared', () => {
    const { record: claimed, claim } = calling();
    const s = { claim, rendered: claimed.revision, now: T0, timings: TIMINGS };
    const messageKey = 'card';
    const updated = applyUpdate(claimed, messageKey, { type: 'posted', inSharedChannel: true }, s);
    expect(updated.inSharedChannel).toBe(true);
    expect(notesOf(updated)).toMatchObject([{ type: 'shared' }]);
    const posting = { type: 'posted' as const, channel: 'C1', ts: '1.0', inSharedChannel: true as const };
    const refused = { type: 'kept', code: 'edit_window_closed', inSharedChannel: true } as const;
    expect(applyUpdate(claimed, messageKey, refused, s).inSharedChannel).toBe(true);
    const fresh = newRecord(REQUEST, T0);
    expect(applyPosting(fresh, messageKey, posting, { ...s, rendered: 1 })).toMatchObject({
      inSharedChannel: true,
      messages: [{ key: 'card', delivery: { status: 'posted' } }, { type: 'shared' }],
    });
  });
});
