/** Which text for a customer is offered where several requests were made for one order or offer. */
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { NOT_ASKED } from '../../../src/requests/model/refusal.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { readCustomerReply } from '../../../src/requests/use-cases/look-up.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, calling, event, queued, REQUEST, said, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const refused = (httpStatus: number, code?: string): Answer => ({
  type: 'refused',
  httpStatus,
  code,
  details: [],
});
const REFUSED = refused(409, 'CONFLICT');
const LOST: Answer = { type: 'no_answer', why: 'cut' };

type Cause = Parameters<typeof transition>[1];

function moved(record: RequestRecord, cause: Cause, at: number): RequestRecord {
  const next = transition(record, cause, at);
  if (!next) throw new Error('nothing has changed');
  return next;
}

const waiting = (id: string, at: number) =>
  newRecord({ ...REQUEST, id }, at, { policy: POLICY, earlier: [] });

const declined = (id: string, at: number): RequestRecord =>
  moved(waiting(id, at), { type: 'decision', choice: 'no', by: ['UANA'] }, at + 1);

/** Seeds requests, and reads the text of the first one: its name, or the request that it leads to. */
async function replyTo(...records: [RequestRecord, ...RequestRecord[]]) {
  const { deps, seed } = createWorkspace();
  for (const { holdsSlot: _, ...record } of records) await seed({ ...record, holdsSlot: false });
  const { workspace, id } = records[0];
  const found = await readCustomerReply(deps, { workspace, id, by: 'U1' });
  if (found.type === 'outdated') return found.by.id;
  return found.type === 'offered' ? found.reply : found.type;
}

const at = (n: number) => T0 + n * 60_000;

const former = {
  canceled: answered(said('canceled'), { id: 'former' }),
  denied: answered(said('denied'), { id: 'former' }),
  declined: declined('former', T0),
};
const newer = { id: 'newer' };

describe('the text of a former request', () => {
  test.each([
    ['declined', 'waits', queued(newer, at(1))],
    ['declined', 'is being sent', calling(newer, at(1)).record],
    ['declined', 'may have been received', answered(LOST, newer, at(1))],
    ['declined', 'was refused', answered(REFUSED, newer, at(1))],
    ['denied', 'was refused without a code', answered(refused(404), newer, at(1))],
    [
      'denied',
      'was refused, and withdrawn when it was to be sent again',
      moved(
        moved(answered(REFUSED, newer, at(1)), { type: 'person', by: 'U1', action: 'retry' }, at(2)),
        { type: 'person', by: 'U1', action: 'withdraw' },
        at(3),
      ),
    ],
    [
      'denied',
      'was refused for a mistake, or because the order was cancelled by then',
      answered(refused(422, 'VALIDATION_ERROR'), { ...newer, repeats: { kind: 'cancel_order' } }, at(1)),
    ],
    ['denied', 'has cancelled the order', answered(said('canceled'), newer, at(1))],
    ['denied', 'was denied', answered(said('denied'), newer, at(1))],
    [
      'denied',
      'may have been received, and was closed',
      moved(answered(LOST, newer, at(1)), { type: 'person', by: 'UADMIN', action: 'release' }, at(2)),
    ],
    [
      'declined',
      'ended because the order was cancelled',
      moved(waiting('newer', at(1)), { type: 'canceled_elsewhere', event: event() }, at(2)),
    ],
  ] as const)('that was %s leads to the newer one, which %s', async (name, _why, other) => {
    expect(await replyTo(former[name], other)).toBe('newer');
  });

  test.each([
    ['canceled', 'replyOrderCanceled', 'was refused', answered(REFUSED, newer, at(1))],
    ['denied', 'replyOrderNotCanceled', 'was declined', declined('newer', at(1))],
    [
      'denied',
      'replyOrderNotCanceled',
      'was withdrawn',
      moved(queued(newer, at(1)), { type: 'person', by: 'U1', action: 'withdraw' }, at(2)),
    ],
    ['declined', 'replyOrderNotCanceled', 'was refused for its token', answered(refused(401), newer, at(1))],
    [
      'denied',
      'replyOrderNotCanceled',
      "was refused for its token's rights",
      answered(refused(403, 'FORBIDDEN'), newer, at(1)),
    ],
    [
      'denied',
      'replyOrderNotCanceled',
      'was refused for a mistake in it',
      answered(refused(422, 'VALIDATION_ERROR'), newer, at(1)),
    ],
    ['denied', 'replyOrderNotCanceled', 'was never asked for', answered(refused(NOT_ASKED), newer, at(1))],
    [
      'declined',
      'replyOrderNotCanceled',
      'was refused as any such call is',
      answered(refused(405), newer, at(1)),
    ],
  ] as const)('that was %s is still %s where the newer one %s', async (name, reply, _why, other) => {
    expect(await replyTo(former[name], other)).toBe(reply);
  });
});

describe('the text of a newer request', () => {
  const later = declined('newer', at(1));
  const older = { id: 'former' };

  test.each([
    ['declined', former.declined],
    ['denied', former.denied],
    ['refused', answered(REFUSED, older)],
  ])('is offered beside an older one that was %s before', async (_what, ended) => {
    expect(await replyTo(later, ended)).toBe('replyOrderNotCanceled');
  });

  const approved = answered(said('approved'), older);
  test.each([
    ['has cancelled the order', former.canceled],
    [
      'had ended because the order was cancelled',
      moved(waiting('former', T0), { type: 'canceled_elsewhere', event: event() }, T0 + 1),
    ],
    [
      'may have been received, and was closed',
      moved(answered(LOST, older), { type: 'person', by: 'UADMIN', action: 'release' }, T0),
    ],
    ['was approved, of which a newer event does not say what became of it', { ...approved, word: 'on_hold' }],
    ['was denied, of which a newer event says the same', { ...former.denied, word: 'on_hold' }],
  ])('that was declined leads to an older one that %s', async (_what, other) => {
    expect(await replyTo(later, other)).toBe('former');
  });

  test('that the order service has denied says so beside an older one that is in doubt', async () => {
    const closed = moved(answered(LOST, older), { type: 'person', by: 'UADMIN', action: 'release' }, T0);
    expect(await replyTo(answered(said('denied'), newer, at(1)), closed)).toBe('replyOrderNotCanceled');
  });

  test('leads to an older one that is open, or was sent again since', async () => {
    expect(await replyTo(later, answered(LOST, older))).toBe('former');
    const again = moved(answered(REFUSED, older), { type: 'person', by: 'U1', action: 'retry' }, at(3));
    expect(await replyTo(later, again)).toBe('former');
    const canceled = answered(said('canceled'), older, at(3));
    const done = { ...canceled, createdAt: T0, steps: [...again.steps, ...canceled.steps.slice(-2)] };
    expect(await replyTo(later, done)).toBe('former');
    expect(await replyTo(done, later)).toBe('replyOrderCanceled');
    expect(await replyTo(done, answered(said('denied'), newer, at(1)))).toBe('replyOrderCanceled');
  });

  test('leads to an older one of which the order service has said something else since', async () => {
    const approved = moved(former.denied, { type: 'event', event: event() }, at(3));
    expect(await replyTo(later, approved)).toBe('former');
    expect(await replyTo(approved, answered(said('denied'), newer, at(1)))).toBe('replyOrderCanceled');
  });

  test('does not lead to an older one whose outcome a person has corrected since', async () => {
    const by = 'UADMIN';
    const recorded = moved(answered(LOST, older), { type: 'person', by, action: 'approved' }, T0 + 1);
    const corrected = moved(recorded, { type: 'person', by, action: 'denied' }, at(5));
    const canceled = answered(said('canceled'), newer, at(1));
    expect(await replyTo(canceled, corrected)).toBe('replyOrderCanceled');
    expect(await replyTo(corrected, canceled)).toBe('newer');
  });
});

test('the text of a request that is in review is offered although a newer one is open, too', async () => {
  const reopened = answered(said('pending'), { id: 'former' });
  expect(await replyTo(reopened, queued(newer, at(1)))).toBe('replyOrderInReview');
});
