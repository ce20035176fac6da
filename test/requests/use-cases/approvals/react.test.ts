import { expect, test } from 'vitest';
import type { Delivery } from '../../../../src/outbox/delivery.ts';
import { unreplicated } from '../../../../src/outbox/ports.ts';
import { RequestRecord } from '../../../../src/requests/model/record.ts';
import { TIMINGS } from '../../../../src/requests/model/timings.ts';
import type { Directory } from '../../../../src/requests/ports/ports.ts';
import { requestEntry } from '../../../../src/requests/store/writes.ts';
import { type Reacting, react } from '../../../../src/requests/use-cases/approvals/react.ts';
import type { VoteDeps } from '../../../../src/requests/use-cases/approvals/vote.ts';
import { createSqliteRecordStore } from '../../../../src/storage/sqlite/record-store.ts';
import { waitingRecord } from '../../../support/requests/approval-policy.ts';
import { T0, withCard } from '../../../support/requests/records.ts';
import { workspacesWith } from '../../../support/requests/workspaces.ts';
import { databaseInMemory } from '../../../support/storage/empty-database.ts';

const OPEN = 1_000;
/** Before the newest of the messages was posted. */
const TS = (n: number) => `${T0 / 1_000 + n}.000100`;

const OWED: Delivery = { status: 'owed', tries: 0, notBefore: T0 };
const DOUBTFUL: Delivery = { status: 'doubtful', tries: 1, notBefore: T0, since: T0, until: T0 };

/**
 * A thousand requests that await approval, each with its message, and one more whose message is on its way.
 *
 * @param delivery of the message that is on its way
 */
async function busyWorkspace(delivery = DOUBTFUL) {
  let read = 0;
  const schema = RequestRecord.transform((record) => {
    read += 1;
    return record;
  });
  const store = createSqliteRecordStore(databaseInMemory(), 'requests', schema, () => T0);
  for (let n = 0; n < OPEN; n++) {
    const location = { channel: 'C1', ts: TS(n) };
    const record = { ...waitingRecord(), id: `r${n}`, target: `A-${n}` };
    const delivery = { status: 'posted' as const, ...location };
    await store.create(requestEntry(withCard(record, { location, delivery }), TIMINGS));
  }
  const create = (given: Partial<RequestRecord>, delivery: Delivery) => {
    const record = { ...waitingRecord(), ...given };
    const location = delivery.status === 'posted' ? { location: delivery } : {};
    return store.create(requestEntry(withCard(record, { ...location, delivery }), TIMINGS));
  };
  await create({ id: 'unposted', target: 'A-new' }, delivery);
  const lookups: string[] = [];
  const directory = new Proxy({} as Directory, {
    get: (_target, name) => async () => {
      lookups.push(String(name));
      if (name === 'groupMembers') return ['UANA', 'UBEN'];
      return name === 'isInGroup' ? true : { ownTeam: true };
    },
  });
  const deps: VoteDeps = {
    store,
    replicated: unreplicated,
    directory,
    workspaces: workspacesWith(),
    wake() {},
    timings: TIMINGS,
  };
  return {
    create,
    lookups,
    read: () => read,
    react: (given: Partial<Reacting>) =>
      react(deps, {
        workspace: waitingRecord().workspace,
        by: 'UANA',
        message: { channel: 'C1', ts: TS(OPEN + 1) },
        mayBeOurs: true,
        emoji: 'white_check_mark',
        added: true,
        moment: (T0 + 1_100_000) * 1_000,
        ...given,
      }),
  };
}

test('a reaction with an emoji that no policy names reads no request and asks Slack nothing', async () => {
  const { react, read, lookups } = await busyWorkspace();
  for (const ts of [TS(0), TS(OPEN - 1), TS(OPEN + 1)]) {
    expect(await react({ emoji: 'tada', message: { channel: 'C1', ts } })).toEqual({ type: 'not_a_vote' });
  }
  expect([read(), lookups]).toEqual([0, []]);
});

test('a vote reads its own request, however many are open', async () => {
  const { react, read } = await busyWorkspace();
  expect(await react({ message: { channel: 'C1', ts: TS(7) } })).toMatchObject({
    type: 'counted',
    record: { id: 'r7' },
  });
  // Once to find it, once as the newest version; and the one whose message is on its way.
  expect(read()).toBeLessThanOrEqual(3);
});

test('a vote on a message that is not recorded yet must be delivered again; if no message is on its way, it is no vote', async () => {
  const { react } = await busyWorkspace();
  expect(await react({})).toEqual({ type: 'not_yet' });
  const long = { moment: (T0 + 20 * 60_000_000) * 1_000 };
  expect(await react(long)).toEqual({ type: 'not_a_vote' });
});

test('a vote on a message that is not recorded yet must be delivered again in any channel, whose id may have changed, unless somebody else wrote it', async () => {
  const { react, read } = await busyWorkspace();
  const message = { channel: 'C9', ts: TS(OPEN + 1) };
  expect(await react({ message })).toEqual({ type: 'not_yet' });
  const readSoFar = read();
  expect(await react({ message, mayBeOurs: false })).toEqual({ type: 'not_a_vote' });
  expect(read()).toBe(readSoFar);
});

test('a request that awaits no approval any more has no reaction delivered again, though its message is in doubt', async () => {
  const { create, react } = await busyWorkspace({ status: 'posted', channel: 'C1', ts: TS(OPEN) });
  await create({ id: 'withdrawn', target: 'B-1', state: 'withdrawn' }, DOUBTFUL);
  expect(await react({})).toEqual({ type: 'not_a_vote' });
});

test('a vote on a message that is not recorded yet must be delivered again, however many others wait to be posted', async () => {
  const { create, react } = await busyWorkspace();
  for (let n = 0; n < OPEN; n++) await create({ id: `waiting${n}`, target: `B-${n}` }, OWED);
  expect(await react({})).toEqual({ type: 'not_yet' });
});

test('a reaction must be delivered again while more posts are in doubt than one reaction reads', async () => {
  const { create, react } = await busyWorkspace();
  for (let n = 0; n < OPEN; n++) await create({ id: `doubtful${n}`, target: `B-${n}` }, DOUBTFUL);
  // Before any of those that it has read.
  const early = { message: { channel: 'C1', ts: TS(-OPEN) }, moment: (T0 - OPEN * 1_000) * 1_000 };
  expect(await react(early)).toEqual({ type: 'not_yet' });
});

test('a vote on a copy that has appeared after the search for it must be delivered again', async () => {
  const copies = { since: T0, until: T0, tries: 0, notBefore: T0 + 300_000 };
  const { react } = await busyWorkspace({ status: 'owed', tries: 2, notBefore: T0, tidies: [copies] });
  expect(await react({})).toEqual({ type: 'not_yet' });
});

test('a vote on a message that has been in doubt for long must be delivered again; a reaction to another old message is no vote', async () => {
  const { react } = await busyWorkspace(DOUBTFUL);
  const moment = (T0 + 60 * 60_000) * 1_000;
  const message = { channel: 'C1', ts: `${T0 / 1_000}.000200` };
  expect(await react({ message, moment })).toEqual({ type: 'not_yet' });
  const older = { channel: 'C1', ts: String((T0 - 60 * 60_000) / 1_000) };
  expect(await react({ message: older, moment })).toEqual({ type: 'not_a_vote' });
  const newer = { channel: 'C1', ts: String((T0 + 40 * 60_000) / 1_000) };
  expect(await react({ message: newer, moment })).toEqual({ type: 'not_a_vote' });
});

test('a vote is for the message in its own channel, also where one in another channel has the same time', async () => {
  const { create, react } = await busyWorkspace();
  const location = { channel: 'C2', ts: TS(7) };
  await create({ id: 'elsewhere', target: 'A-elsewhere' }, { status: 'posted', ...location });
  for (const [channel, id] of Object.entries({ C1: 'r7', C2: 'elsewhere' }))
    expect(await react({ message: { channel, ts: TS(7) } })).toMatchObject({
      type: 'counted',
      record: { id },
    });
});

test('a skin tone makes no difference', async () => {
  const { react } = await busyWorkspace();
  const message = { channel: 'C1', ts: TS(7) };
  expect(await react({ emoji: 'white_check_mark::skin-tone-2', message })).toMatchObject({ type: 'counted' });
});
