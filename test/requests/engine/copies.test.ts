/** Copies of a message that an earlier attempt may have left are tidied, whatever becomes of the message. */
import { describe, expect, test } from 'vitest';
import { afterAttempt } from '../../../src/outbox/attempt.ts';
import { type Delivery, owed, type PostResult, type Tidy } from '../../../src/outbox/delivery.ts';
import { applyPosting } from '../../../src/requests/engine/apply-posting.ts';
import { applyTidy } from '../../../src/requests/engine/apply-update.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { CARD, notesOf, replyKey, withDelivery } from '../../../src/requests/model/record-messages.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, carded, said, T0, withCard } from '../../support/requests/records.ts';

const TIDY: Tidy = { since: T0 - 60_000, until: T0 - 30_000, tries: 0, notBefore: T0 };
const refused = { type: 'refused', code: 'is_archived' } as const;

function post(record: RequestRecord, messageKey: string, result: PostResult): RequestRecord {
  const claim = { effect: 'post' as const, messageKey, owner: 'o', startedAt: T0, expiresAt: T0 + 1 };
  return applyPosting(record, messageKey, result, { claim, rendered: 1, now: T0, timings: TIMINGS });
}

const deliveryOf = ({ messages }: RequestRecord, key: string) =>
  messages.find((each) => each.key === key)?.delivery;

const withCopies = (record: RequestRecord, key: string) =>
  withDelivery(record, key, () => ({ ...owed(T0), tidies: [TIDY] }));

describe('the copies of a note that went elsewhere', () => {
  const { messages, ...rest } = answered(said('canceled'));
  const note = { type: 'reason', key: 'reason:1', at: T0, to: 'requester' } as const;
  const noted = (delivery: Delivery): RequestRecord => ({
    ...rest,
    messages: [...messages, { ...note, delivery }],
  });
  const context = (effect: 'find' | 'tidy') => ({
    claim: { effect, messageKey: note.key, owner: 'o', startedAt: T0, expiresAt: T0 + 1 },
    ...{ rendered: 1, now: T0, timings: TIMINGS },
  });

  test('are owed to a tidy where its last post may have gone', () => {
    const record = noted({ status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 });
    const searched = applyPosting(record, note.key, { type: 'absent' }, context('find'));
    expect(deliveryOf(searched, note.key)).toMatchObject({ status: 'owed', tidies: [{ to: 'requester' }] });
  });

  test('give the note its first place back, if one there takes the place of the message', () => {
    const record = noted({ status: 'posted', channel: 'D1', ts: '1.1', tidies: [TIDY] });
    const place = { messageKey: note.key, to: undefined, thread: undefined };
    const kept = { channel: 'C1', ts: '2.2' };
    const counts = { removed: 0, linked: 0, voters: [], left: [], uncounted: [] };
    const tidied = applyTidy(record, place, { type: 'tidied', kept, ...counts }, context('tidy'));
    const message = tidied.messages.find(({ key }) => key === note.key);
    expect(message).toMatchObject({ location: kept, delivery: { status: 'posted', ...kept } });
    expect(message?.to).toBeUndefined();
  });
});

describe('the copies of a message stay owed to a tidy', () => {
  test('where it is certain that the last attempt has posted none', () => {
    const before = { ...owed(T0), tidies: [TIDY] };
    const limits = { appearMs: TIMINGS.appearMs, doubtMs: TIMINGS.doubtMs };
    const attempt = { since: T0, until: T0, to: undefined, thread: undefined, now: T0, ...limits };
    expect(afterAttempt(before, { type: 'absent' }, attempt)).toEqual({ ...before, tries: 1 });
  });

  test('where it is posted at another destination', () => {
    const record = answered(said('canceled'));
    const key = replyKey(record.steps.at(-1)?.n ?? 0);
    const next = post(withCopies(record, key), key, refused);
    expect(deliveryOf(next, key)).toMatchObject({ status: 'owed', tidies: [TIDY] });
  });

  test('where the approvals channel refuses it', () => {
    const next = post(withCopies(waitingRecord(SHOWN_APART), 'approval:1'), 'approval:1', refused);
    expect(deliveryOf(next, 'approval:1')).toMatchObject({ status: 'owed', tidies: [TIDY] });
  });

  test('where the request is sent again, and needs another card', () => {
    const failed = answered({ type: 'refused', httpStatus: 400, details: [] });
    const lost = withCard(failed, { delivery: { status: 'given_up', code: 'x', tidies: [TIDY] } });
    const next = transition(lost, { type: 'person', by: 'UANA', action: 'retry' }, T0);
    expect(next && deliveryOf(next, CARD)).toEqual({ ...owed(T0), tidies: [TIDY] });
  });
});

test('a card owes a tidy if another process has posted it meanwhile, or may have, and not if the result is that of the same post', () => {
  const tidiesAfter = (result: PostResult) => deliveryOf(post(carded(), CARD, result), CARD)?.tidies?.length;
  expect(tidiesAfter({ type: 'posted', channel: 'C1', ts: '9.9' })).toBe(1);
  expect(tidiesAfter({ type: 'doubtful', code: 'timeout' })).toBe(1);
  expect(tidiesAfter({ type: 'posted', channel: 'C1', ts: '1.000001' })).toBeUndefined();
  expect(tidiesAfter(refused)).toBeUndefined();
});

describe('people who voted on a copy that is now a link', () => {
  const waiting = withCard(waitingRecord(), {
    delivery: { status: 'posted', channel: 'C1', ts: '1.1', tidies: [TIDY] },
  });
  const context = {
    claim: { effect: 'tidy' as const, messageKey: CARD, owner: 'o', startedAt: T0, expiresAt: T0 + 1 },
    ...{ rendered: 1, now: T0, timings: TIMINGS },
  };
  const place = { messageKey: CARD, to: undefined, thread: undefined };
  const found = { type: 'tidied', removed: 0, linked: 0, left: ['9.9'] } as const;
  const same = { channel: 'C1', ts: '1.1' };
  const toldOf = (record: RequestRecord) =>
    notesOf(record).flatMap((note) =>
      note.type === 'misplaced_vote' ? [`${note.voter} ${note.stays ?? false}`] : [],
    );

  test('are told once, however often the tidy is tried', () => {
    const result = { ...found, kept: same, voters: ['UANA'], uncounted: [], left: ['9.9'] };
    const once = applyTidy(waiting, place, result, context);
    expect(toldOf(once)).toEqual(['UANA false']);
    expect(toldOf(applyTidy(once, place, { ...result, voters: ['UANA', 'UBEN'] }, context))).toEqual([
      'UANA false',
      'UBEN false',
    ]);
  });

  test('are told also if a vote of theirs was found on the message that stays, and anew in the next round', () => {
    const replaced = {
      ...found,
      kept: { channel: 'C1', ts: '2.2' },
      voters: [],
      uncounted: ['UANA'],
      left: [],
    };
    const stays = applyTidy(waiting, place, replaced, context);
    expect(toldOf(stays)).toEqual(['UANA true']);
    const result = {
      ...found,
      kept: { channel: 'C1', ts: '2.2' },
      voters: ['UANA'],
      uncounted: ['UANA'],
      left: [],
    };
    const again = applyTidy(stays, place, result, context);
    expect(toldOf(again)).toEqual(['UANA true', 'UANA false']);
    const next = again.approval && { ...again, approval: { ...again.approval, since: T0 + 1 } };
    expect(next && toldOf(applyTidy(next, place, result, context))).toEqual([
      'UANA true',
      'UANA false',
      'UANA false',
    ]);
  });
});
