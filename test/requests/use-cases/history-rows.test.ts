import { describe, expect, test } from 'vitest';
import { withPause } from '../../../src/requests/model/acts.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { transition, withCallPutOff } from '../../../src/requests/model/transition.ts';
import { type RowAction, rowsFor } from '../../../src/requests/use-cases/history.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { answered, carded, queued, REQUEST, said, T0 } from '../../support/requests/records.ts';

const { approval } = newRecord(REQUEST, T0, { policy: POLICY, earlier: [] });
const underPolicy = (record: RequestRecord): RequestRecord => ({ ...record, ...(approval && { approval }) });

const unknown = underPolicy(answered({ type: 'no_answer', why: 'cut' }));
const reviewed = underPolicy(answered(said('pending')));
const recorded = transition(unknown, { type: 'person', by: 'U1', action: 'approved' }, T0) as RequestRecord;
const refused = answered({ type: 'refused', httpStatus: 409, details: [] });
const mistaken = answered({ type: 'refused', httpStatus: 400, code: 'VALIDATION_ERROR', details: [] });
const withdrawn: RequestRecord = { ...queued(), state: 'withdrawn' };
const awaiting = waitingRecord();
const leftToAdmins = waitingRecord({ ...POLICY, mayWithdraw: false });
const putOff = withCallPutOff(carded(), 'unreachable', T0 + 1_000);
const paused = withPause(carded(), { by: 'UADMIN', at: T0 }, T0);

/** The people: the requester, one of the group S1, an admin and a colleague. */
const IN_GROUP = 'UANA';

async function actionsOf(record: RequestRecord, id: string, settings = {}) {
  const asked: string[] = [];
  const directory = {
    ...directoryOf(),
    isInGroup: async (_workspace: string, group: string, user: string, age?: string) => {
      asked.push(`${group} ${age}`);
      return user === IN_GROUP;
    },
  };
  const person = await directory.person('T1', id);
  if (!person) throw new Error('nobody');
  const reader = { workspace: 'T1', person, isAdmin: id === 'UADMIN', settings };
  const rows = await rowsFor(directory, reader, [record, record, record]);
  return { actions: rows[0]?.actions, asked };
}

describe('the menu of a request has what its reader may do', () => {
  test.each<[string, RequestRecord, Record<string, readonly RowAction[]>]>([
    ['an unknown outcome', unknown, { U1: ['record'], UANA: ['record'], UADMIN: ['record'], UBEN: [] }],
    ['in review', reviewed, { U1: [], UANA: ['record'], UADMIN: ['record'], UBEN: [] }],
    ['recorded by a person', recorded, { U1: [], UANA: ['record'], UADMIN: ['record'], UBEN: [] }],
    ['cancelled', answered(said('canceled')), { U1: [], UADMIN: [] }],
    ['refused', refused, { U1: ['retry', 'request_again'], UBEN: ['retry', 'request_again'] }],
    ['refused for a mistake', mistaken, { U1: ['request_again'], UBEN: ['request_again'] }],
    ['withdrawn', withdrawn, { U1: ['request_again'], UBEN: ['request_again'] }],
    ['on its way', carded(), { U1: [], UADMIN: [] }],
    ['whose card Slack has not taken', queued(), { U1: ['withdraw'], UADMIN: ['withdraw'], UBEN: [] }],
    ['whose call waits', putOff, { U1: ['withdraw'], UADMIN: ['withdraw'], UBEN: [] }],
    ['held back by a pause', paused, { U1: ['withdraw'], UADMIN: ['withdraw'], UBEN: [] }],
    ['awaiting approval', awaiting, { U1: ['withdraw'], UANA: [], UADMIN: ['withdraw'], UBEN: [] }],
    ['that only admins withdraw', leftToAdmins, { U1: [], UANA: [], UADMIN: ['withdraw'], UBEN: [] }],
  ])('%s', async (_name, record, expected) => {
    for (const [id, actions] of Object.entries(expected))
      expect([id, (await actionsOf(record, id)).actions]).toEqual([id, actions]);
  });

  test('outside of the group that may request, nothing is requested and nothing sent again', async () => {
    const settings = { requesters: 'S9' };
    expect((await actionsOf(refused, 'UBEN', settings)).actions).toEqual([]);
    expect((await actionsOf(refused, IN_GROUP, settings)).actions).toEqual(['retry', 'request_again']);
  });

  test('nothing is recorded by whoever Slack cannot tell from an approver', async () => {
    const policy = { ...POLICY, approvers: { type: 'channel' as const }, channel: 'C2' };
    const inChannel = { ...reviewed, ...(approval && { approval: { ...approval, policy } }) };
    const directory = {
      ...directoryOf(),
      isChannelMember: () => Promise.reject(new Error('Slack lists no members')),
    };
    const person = await directory.person('T1', 'UANA');
    if (!person) throw new Error('nobody');
    const rows = await rowsFor(directory, { workspace: 'T1', person, isAdmin: false, settings: {} }, [
      inChannel,
      refused,
    ]);
    expect(rows.map(({ actions }) => actions)).toEqual([[], ['retry', 'request_again']]);
  });

  test('nothing is sent again or requested by whoever Slack cannot tell from one of the group that may request', async () => {
    const directory = {
      ...directoryOf(),
      isInGroup: () => Promise.reject(new Error('Slack lists no members')),
    };
    const person = await directory.person('T1', 'U1');
    if (!person) throw new Error('nobody');
    const reader = { workspace: 'T1', person, isAdmin: false, settings: { requesters: 'S9' } };
    const rows = await rowsFor(directory, reader, [refused, putOff]);
    expect(rows.map(({ actions }) => actions)).toEqual([[], ['withdraw']]);
  });

  test('Slack is asked once for a group, whose list of the last minute will do, however many requests name it', async () => {
    expect((await actionsOf(reviewed, 'UBEN')).asked).toEqual(['S1 remembered']);
    expect((await actionsOf(refused, 'UBEN', { requesters: 'S9' })).asked).toEqual(['S9 remembered']);
    expect((await actionsOf(reviewed, 'UADMIN')).asked).toEqual([]);
    expect((await actionsOf(awaiting, 'UBEN')).asked).toEqual([]);
  });
});
