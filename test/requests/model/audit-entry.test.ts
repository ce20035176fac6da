import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withLateAction } from '../../../src/requests/model/acts.ts';
import { type Approval, withEntry } from '../../../src/requests/model/approval.ts';
import { actsOnRequest, sendingPaused } from '../../../src/requests/model/audit-entry.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { ManualAction } from '../../../src/requests/model/states.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, event, queued, REQUEST, said, T0 } from '../../support/requests/records.ts';

const LOST = { type: 'no_answer', why: 'timeout' } as const;

const awaiting = () =>
  newRecord(REQUEST, T0, { policy: POLICY, earlier: [] }) as RequestRecord & { approval: Approval };

function by(person: string, action: ManualAction, record: RequestRecord): RequestRecord {
  const moved = transition(record, { type: 'person', by: person, action }, T0 + 5);
  if (!moved) throw new Error(`${action} is impossible`);
  return moved;
}

/** The acts as: who, what, from what, to what. */
const told = (before: RequestRecord | undefined, after: RequestRecord) =>
  actsOnRequest(before, after).map(({ by: who, act, from, to }) => [who.join(), act, from, to]);

describe('an act on a request', () => {
  test('is its creation, which names no reason', () => {
    const record = queued();
    expect(actsOnRequest(undefined, record)).toEqual([
      {
        workspace: 'T1',
        id: `${record.id}:step:000001`,
        at: T0,
        by: ['U1'],
        act: 'requested',
        request: { id: record.id, kind: 'cancel_order', target: 'A-1001' },
        to: 'queued',
      },
    ]);
  });

  test.each<[ManualAction, RequestRecord, string, string, string]>([
    ['withdraw', queued(), 'withdrew', 'queued', 'withdrawn'],
    ['release', answered(LOST), 'released', 'unknown', 'closed'],
    ['denied', answered(LOST), 'recorded', 'unknown', 'denied'],
    ['in_review', answered(LOST), 'recorded', 'unknown', 'under_review'],
    ['not_received', answered(LOST), 'retried', 'unknown', 'queued'],
    ['approved', by('U9', 'denied', answered(LOST)), 'corrected', 'denied', 'approved'],
    ['approved', by('U9', 'in_review', answered(LOST)), 'recorded', 'under_review', 'approved'],
    ['in_review', by('U9', 'denied', answered(LOST)), 'corrected', 'denied', 'under_review'],
    ['release', by('U9', 'in_review', answered(LOST)), 'released', 'under_review', 'closed'],
    ['never_received', by('U9', 'in_review', answered(LOST)), 'corrected', 'under_review', 'failed'],
    ['never_received', by('U9', 'denied', answered(LOST)), 'corrected', 'denied', 'failed'],
    ['retry', answered({ type: 'refused', httpStatus: 400, details: [] }), 'retried', 'failed', 'queued'],
  ])('"%s" is told once', (action, before, act, from, to) => {
    const after = by('U2', action, before);
    expect(told(before, after)).toEqual([['U2', act, from, to]]);
    // A later change tells nothing of it again.
    expect(told(after, { ...after, revision: 99 })).toEqual([]);
  });

  test('is a vote that was cast or taken back, and a decision, which has all who made it', () => {
    const before = awaiting();
    const history = (['voted', 'refused', 'taken_back', 'gone', 'void'] as const).map((type) => ({
      at: T0,
      by: 'U7',
      type,
      choice: 'yes' as const,
      source: 'button',
    }));
    const voted = { ...before, approval: history.reduce(withEntry, before.approval) };
    expect(told(before, voted)).toEqual([
      ['U7', 'voted', undefined, 'yes'],
      ['U7', 'took_vote_back', 'yes', undefined],
      ['U7', 'took_vote_back', 'yes', undefined],
    ]);
    const decision = { type: 'decision' as const, choice: 'no' as const, by: ['U7', 'U8'] };
    const declined = transition(voted, decision, T0);
    expect(declined && told(voted, declined)).toEqual([
      ['U7,U8', 'decided', 'awaiting_approval', 'declined'],
    ]);
  });

  test('is told once each, under an id of its own, however long the history is', () => {
    const before = awaiting();
    const entry = { at: T0, by: 'U7', choice: 'yes', source: 'button' } as const;
    const all: string[] = [];
    let record: RequestRecord = before;
    fc.assert(
      fc.property(fc.infiniteStream(fc.constantFrom('voted', 'refused', 'taken_back')), (types) => {
        all.length = 0;
        record = before;
        let acts = 0;
        for (const type of types.take(700)) {
          const { approval } = record;
          if (!approval) throw new Error('It awaits approval.');
          const next = { ...record, approval: withEntry(approval, { ...entry, type }) };
          all.push(...actsOnRequest(record, next).map(({ id }) => id));
          if (type !== 'refused') acts += 1;
          record = next;
        }
        expect(new Set(all).size).toBe(acts);
        expect(all).toHaveLength(acts);
        expect(all.toSorted()).toEqual(all);
      }),
      { numRuns: 5 },
    );
  });
});

describe('no act of a person', () => {
  test('is what the service says, what the bot does, and what came too late', () => {
    const before = answered(said('pending'));
    const after = applyEvent(before, event({ status: 'approved', updatedAt: T0 + 1 }), T0 + 1).record;
    expect(after.state).toBe('approved');
    expect(told(before, after)).toEqual([]);
    expect(told(queued(), answered(said('pending')))).toEqual([]);
    const expired = transition(queued(), { type: 'expire' }, T0 + 1);
    expect(expired && told(queued(), expired)).toEqual([]);
    const late = { at: T0, by: 'U2', action: 'withdraw', state: after.state } as const;
    expect(told(after, withLateAction(after, late))).toEqual([]);
  });
});

test('the first act after an installation has an id of its own, also after the one before it', () => {
  const first = (at: number) => sendingPaused({ workspace: 'T1', by: 'U1', at, former: undefined }).id;
  expect(first(T0)).not.toBe(first(T0 + 1));
});
