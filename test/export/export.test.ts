import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditLine, csvHeader, csvRows, requestLine } from '../../src/export.ts';
import type { Cause } from '../../src/requests/model/cause.ts';
import { applyEvent } from '../../src/requests/model/events.ts';
import { newRecord } from '../../src/requests/model/new-record.ts';
import type { RequestRecord, Step } from '../../src/requests/model/record.ts';
import { transition } from '../../src/requests/model/transition.ts';
import { anyText } from '../support/any-text.ts';
import { POLICY } from '../support/e2e/approvals.ts';
import {
  answered,
  anyAnswer,
  calling,
  event,
  queued,
  REQUEST,
  replied,
  said,
  T0,
} from '../support/requests/records.ts';

/** Reads CSV as RFC 4180 has it. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, bare = '', end] of csv.matchAll(field)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

/** As an object for each row, by the names in the header. */
function table(...records: RequestRecord[]): Record<string, string>[] {
  const [header = [], ...rows] = parse(csvHeader() + records.map(csvRows).join(''));
  return rows.map((row) => {
    expect(row).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, i) => [name, row[i] ?? '']));
  });
}

describe('an export as CSV', () => {
  test('has a row for each step, with who and what caused it', () => {
    const refused = answered({ type: 'refused', httpStatus: 400, code: 'X', message: 'No.', details: [] });
    expect(table(refused)).toMatchObject([
      { step: '1', entered: 'queued', cause: 'requested', by: 'U1', at: '2026-11-21T12:00:00.000Z' },
      { step: '2', entered: 'calling', cause: 'call_begun', by: '' },
      { step: '3', entered: 'failed', cause: 'answer', says: 'refused', code: 'X', message: 'No.' },
    ]);
    for (const row of table(refused))
      expect(row).toMatchObject({ request: refused.id, workspace: 'T1', target: 'A-1001', state: 'failed' });
  });

  test('has what the service said where the outcome is unknown', () => {
    const why = { type: 'no_answer', why: 'server_error', httpStatus: 500 } as const;
    const unknown = answered({ ...why, code: 'INTERNAL_SERVER_ERROR', message: 'Try later.' });
    expect(table(unknown).at(-1)).toMatchObject({
      entered: 'unknown',
      says: 'no_answer',
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Try later.',
    });
    expect(table(answered(why)).at(-1)).toMatchObject({ code: 'server_error' });
  });

  test('has the code for which Slack refused the card', () => {
    const refused = transition(queued(), { type: 'card_refused', code: 'is_archived' }, T0);
    expect(table(refused ?? queued()).at(-1)).toMatchObject({ cause: 'card_refused', code: 'is_archived' });
  });

  test('has the HTTP status of a refusal that names no code', () => {
    const refused = answered({ type: 'refused', httpStatus: 422, details: [] });
    expect(table(refused).at(-1)).toMatchObject({ says: 'refused', code: '422' });
  });

  test.each<[Cause, Record<string, string>]>([
    [
      { type: 'approval_requested_again', by: 'U2' },
      { by: 'U2', says: '' },
    ],
    [
      { type: 'person', by: 'U2', action: 'never_received' },
      { by: 'U2', says: 'never_received' },
    ],
    [
      { type: 'decision', by: ['U2', 'U3'], choice: 'no' },
      { by: 'U2 U3', says: 'no' },
    ],
    [{ type: 'event', event: event({ status: 'accepted', word: 'parked' }) }, { says: 'parked' }],
    [{ type: 'canceled_elsewhere', event: event({ status: 'canceled' }) }, { says: 'canceled' }],
    [{ type: 'reconsidered', event: event({ status: 'pending' }) }, { says: 'pending' }],
    [
      { type: 'answer', answer: { type: 'not_received', why: 'unreachable' }, attempt: 1 },
      { says: 'not_received', code: 'unreachable' },
    ],
    [{ type: 'call_begun' }, { says: 'answered' }],
  ])('has who or what caused a step by %o', (cause, columns) => {
    const step: Step = { n: 1, state: 'unknown', at: T0, cause, callResult: 'answered' };
    expect(table({ ...queued(), steps: [step] })).toMatchObject([{ cause: cause.type, ...columns }]);
  });

  test('gives every text back, whatever is in it', () => {
    fc.assert(
      fc.property(anyText(), anyAnswer, (reason, answer) => {
        const rows = table(answered(answer, { reason: `x${reason}` }));
        expect(rows.map((row) => row['reason'])).toEqual(rows.map(() => `x${reason}`));
      }),
    );
  });

  test('has nothing in it that a spreadsheet would run', () => {
    const evil = fc.tuple(
      fc.constantFrom('', ' ', '\t', '\r\n', '\u00a0', '\0'),
      fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'),
      fc.string(),
    );
    fc.assert(
      fc.property(evil, (parts) => {
        const text = parts.join('');
        const [row = {}] = table(queued({ reason: text, target: text }));
        expect([row['reason'], row['target']]).toEqual([`'${text}`, `'${text}`]);
      }),
    );
  });
});

describe('an export as JSON Lines', () => {
  test('has one line for a request, with times that people can read', () => {
    const line = requestLine(answered(said('pending', T0), { reason: 'two\nlines' }));
    expect(line.endsWith('\n')).toBe(true);
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({
      id: REQUEST.id,
      createdAt: '2026-11-21T12:00:00.000Z',
      requestedAt: '2026-11-21T12:00:00.000Z',
      reason: 'two\nlines',
      state: 'under_review',
      steps: [{ n: 1 }, { n: 2 }, { n: 3, cause: { answer: { requestedAt: '2026-11-21T12:00:00.000Z' } } }],
    });
  });

  test('tells of votes and notes, and not of what the bot still has to do', () => {
    const vote = { by: 'U2', source: 'button', choice: 'yes', addedAt: T0 * 1_000, removedAt: 0 } as const;
    const made = newRecord(REQUEST, T0, { policy: POLICY, earlier: [], problem: 'too_few' });
    const record = { ...made, approval: made.approval && { ...made.approval, votes: [vote] } };
    const exported = JSON.parse(requestLine(record));
    expect(exported.approval.votes).toEqual([
      { ...vote, addedAt: '2026-11-21T12:00:00.000Z', removedAt: null },
    ]);
    const left = Object.keys(record.approval ?? {}).filter((name) => !(name in exported.approval));
    expect(left).toEqual(['countedFrom']);
    expect(exported.messages).toMatchObject([
      { key: 'card', delivery: 'owed' },
      { type: 'alarm', problem: 'too_few', delivery: 'owed' },
    ]);
    expect(requestLine(calling().record)).not.toContain('"owner"');
  });

  test('has all that people gave, and leaves out only what is pending', () => {
    const link = 'https://acme.slack.com/archives/C1/p1';
    const given = { thread: '1.1', message: link, ticket: 'https://desk.example/7' };
    const record = {
      ...answered(said('pending')),
      ...given,
      repeats: { kind: 'cancel_order', link } as const,
    };
    const exported = JSON.parse(requestLine(record));
    expect(exported).toMatchObject({ ...given, repeats: { kind: 'cancel_order', link }, lateActions: [] });
    const left = Object.entries(record).flatMap(([name, value]) =>
      value === undefined || name in exported ? [] : [name],
    );
    const pending = ['version', 'holdsSlot', 'clicks', 'revision', 'call', 'bufferedEvents', 'lateAnswers'];
    expect(left.toSorted()).toEqual([...pending, 'appliedEvents', 'inSharedChannel'].toSorted());
  });

  test('has the time of the last call where there were several', () => {
    const record = answered(said('pending', T0));
    const again = record.steps.map((step) => ({ ...step, at: T0 + 1, heard: { requestedAt: T0 + 60_000 } }));
    expect(JSON.parse(requestLine({ ...record, steps: [...record.steps, ...again] }))).toMatchObject({
      requestedAt: '2026-11-21T12:01:00.000Z',
    });
  });

  test('has no time as a number', () => {
    const known = replied(answered(said('pending', T0)));
    const times = { createdAt: T0, updatedAt: T0 + 1, arrivedAt: T0 + 2 };
    const { record } = applyEvent(known, event({ status: 'denied', ...times }), T0);
    const messages = record.messages.map((message) => ({ ...message, refusedAt: T0 }));
    const line = requestLine({ ...record, messages, paused: { by: 'U2', at: T0 } });
    expect(line).toContain('"arrivedAt":"2026');
    expect(line).not.toMatch(/:\d{12,}/);
  });

  test('has how often the service has changed its answer in one step', () => {
    const words = ['denied', 'approved', 'denied'] as const;
    const record = words.reduce(
      (before, status, n) => applyEvent(before, event({ status, updatedAt: T0 + n + 1 }), T0).record,
      replied(answered(said('pending', T0))),
    );
    const { steps } = JSON.parse(requestLine(record));
    expect(steps).toHaveLength(4);
    expect(steps[3]).toMatchObject({ n: 4, state: 'denied', flips: 2 });
  });

  test('has the time of a reason that came after the decision, too', () => {
    const made = newRecord(REQUEST, T0, { policy: POLICY, earlier: [] });
    const by = { by: ['U2'], source: 'x', reason: 'Too late.', at: T0, reasonAt: T0 + 60_000 };
    const decision = { choice: 'no', ...by } as const;
    const record = { ...made, approval: made.approval && { ...made.approval, decision } };
    expect(JSON.parse(requestLine(record)).approval.decision).toMatchObject({
      at: '2026-11-21T12:00:00.000Z',
      reasonAt: '2026-11-21T12:01:00.000Z',
    });
  });

  test('leaves an invalid time as it is', () => {
    expect(JSON.parse(requestLine(answered(said('pending', 1e300))))).toMatchObject({
      requestedAt: '1e+300',
    });
  });
});

test('a line of JSON has no character that controls a terminal or turns the text around, and is read as it was typed', () => {
  const typed = 'A\u001b[2J \u007f \u009b2J \u202eB\u2066 ü';
  const entry = {
    workspace: 'T1',
    id: 'a',
    version: 1,
    at: T0,
    by: ['U1'],
    act: 'paused',
    to: typed,
  } as const;
  for (const line of [requestLine({ ...queued(), reason: typed }), auditLine(entry)]) {
    expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(Object.values(JSON.parse(line))).toContain(typed);
  }
});
