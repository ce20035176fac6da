import { describe, expect, test } from 'vitest';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { lookUp } from '../../../src/requests/use-cases/look-up.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { answered, queued, REQUEST, said, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { inAnyVersion } from '../../support/storage/versions.ts';

async function setUp(...records: ReturnType<typeof queued>[]) {
  const { deps, seed, state } = createWorkspace();
  await seed(...records);
  const find = (query: string, user = 'U1', workspace = 'T1') => lookUp(deps, { workspace, user, query });
  return { find, state };
}

describe('a request', () => {
  test.each([
    ['its id', REQUEST.id],
    ['its id in capitals, out of a sentence', ` ${REQUEST.id.toUpperCase()}. `],
    ['its order', 'A-1001'],
    ['its order in small letters', 'a-1001'],
    ['its order, with the invisible characters of where it was copied', '\u202aA-\u200b1001\u202c\ufeff'],
    ['its id with a quote outside of an invisible character', `“\u2060${REQUEST.id}\u2060”`],
  ])('is found by %s', async (_name, query) => {
    const { find } = await setUp(queued());
    expect(await find(query)).toEqual({ type: 'found', record: inAnyVersion(queued()), showsReason: true });
  });

  test('is found by its offer, among all that were made for it, the newest first', async () => {
    const sent = answered(said('sent'), { id: 'sent', kind: 'send_offer', target: 'O-1' });
    const canceled = queued({ id: 'canceled', kind: 'cancel_offer', target: 'O-1' }, T0 + 1);
    const order = queued({ id: 'order', target: 'O-1' }, T0 + 2);
    const { find } = await setUp(sent, canceled, order);
    const found = await find('O-1');
    expect(found.type === 'several' && found.records.map(({ id }) => id)).toEqual([
      'order',
      'canceled',
      'sent',
    ]);
  });

  test.each([
    [10, false],
    [11, true],
  ])('is found among the ten newest for its id, orders and offers together, of %i', async (count, isMore) => {
    const all = Array.from({ length: count }, (_, n) => {
      const kind = n % 2 ? 'send_offer' : 'cancel_order';
      const made = queued({ id: `r${n}`, kind, target: 'X-1' }, T0 + n);
      return { ...made, state: 'withdrawn' as const, holdsSlot: false };
    });
    const { find } = await setUp(...all);
    const newest = all.map(({ id }) => ({ id })).reverse();
    expect(await find('X-1')).toMatchObject({ type: 'several', records: newest.slice(0, 10), isMore });
  });

  test('is not found by anything else, or by anybody of another workspace', async () => {
    const { find } = await setUp(queued({ workspace: 'T2' }));
    for (const query of [REQUEST.id, 'A-1001', 'A-100', '', '%', 'order:a-1001', 'channel:C1'])
      expect(await find(query)).toEqual({ type: 'none' });
    const ours = await setUp(queued());
    const problem = 'external_user';
    expect(await ours.find(REQUEST.id, 'U1', 'T2')).toEqual({ type: 'not_allowed', problem });
  });

  test('is not for a guest, found or not', async () => {
    const { find } = await setUp(queued());
    for (const query of [REQUEST.id, 'nothing'])
      expect(await find(query, 'UGUEST')).toEqual({ type: 'not_allowed', problem: 'guest' });
  });
});

describe('its reason', () => {
  const waiting = () => newRecord({ ...REQUEST, channel: 'C3' }, T0, { policy: POLICY, earlier: [] });
  const company = { C3: { members: ['UOTHER'] } };

  test.each([
    ['its requester', 'U1', true],
    ['a member of its channel', 'UOTHER', true],
    ['an approver', 'UANA', true],
    ['an admin', 'UADMIN', true],
    ['a colleague', 'USOMEBODY', false],
  ])('is for %s: %s', async (_name, user, showsReason) => {
    const { find, state } = await setUp(waiting());
    state.company.channels = company;
    state.company.people = { ...state.company.people, USOMEBODY: {} };
    expect(await find(REQUEST.id, user)).toMatchObject({ type: 'found', showsReason });
  });

  test('is for no approver of other requests', async () => {
    const { find } = await setUp(queued());
    expect(await find(REQUEST.id, 'UANA')).toMatchObject({ type: 'found', showsReason: false });
  });

  test('is for no approver whose group cannot be read', async () => {
    const { find, state } = await setUp(waiting());
    state.company.groups = {};
    expect(await find(REQUEST.id, 'UANA')).toMatchObject({ type: 'found', showsReason: false });
  });

  test('is for nobody whom Slack does not list, in the channel or among the approvers', async () => {
    const policy = { ...POLICY, approvers: { type: 'channel' as const }, channel: 'C2' };
    const { find, state } = await setUp(newRecord(REQUEST, T0, { policy, earlier: [] }));
    state.company.unlisted = ['C2'];
    expect(await find(REQUEST.id, 'UANA')).toMatchObject({ type: 'found', showsReason: false });
    state.company.unlisted = ['C1'];
    expect(await find(REQUEST.id, 'UANA')).toMatchObject({ type: 'found', showsReason: true });
  });

  test('is for no admin whom Slack does not list, in an organization', async () => {
    const { find, state } = await setUp(queued());
    Object.assign(state.company, { isOrgWide: true, unsaid: ['S1'] });
    state.settings = { admins: 'S1' };
    expect(await find(REQUEST.id, 'UANA')).toMatchObject({ type: 'found', showsReason: false });
  });
});
