import { describe, expect, test } from 'vitest';
import { createInTurn } from '../../../src/in-turn.ts';
import { type Log, SILENT } from '../../../src/outbox/ports.ts';
import type { ServiceEvent } from '../../../src/requests/model/cause.ts';
import { UNMATCHED_EVENTS } from '../../../src/requests/store/subjects.ts';
import { noticeEntry } from '../../../src/requests/store/writes.ts';
import { keepUnmatched } from '../../../src/requests/use-cases/record-event.ts';
import { event, T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';
import { overwrite } from '../../support/storage/versions.ts';

/** @param isTheirs whether another workspace of the organization has made the request */
function setUp({ channel, isTheirs = false }: { channel?: string; isTheirs?: boolean }) {
  const { deps, woken, state } = createWorkspace({ settings: { notificationsChannel: channel } });
  let lookups = 0;
  const requestedBySibling = async () => {
    lookups += 1;
    return isTheirs;
  };
  const { notices } = deps;
  const errors: unknown[] = [];
  const log: Log = { ...SILENT, error: (...line) => void errors.push(line) };
  const keeping = { ...deps, log, requestedBySibling, inTurn: createInTurn().run };
  const keep = (given: ServiceEvent = EVENT, workspace = 'T1') =>
    keepUnmatched(keeping, { workspace, kind: 'cancel_order', event: given });
  /** Those of a type. */
  const kept = async (workspace = 'T1', type = 'event') =>
    (await notices.list(workspace, { limit: 100 })).filter((each) => each.type === type);
  return { keep, kept, woken, state, notices, errors, lookups: () => lookups };
}

const EVENT = event({ digest: 'd' });

test('an event that belongs to no request is kept, and told where an admin wants it', async () => {
  const { keep, kept, woken } = setUp({ channel: 'C1' });
  await keep();
  const [notice] = await kept();
  expect(notice).toMatchObject({
    ...{ type: 'event', kind: 'cancel_order', event: EVENT, at: T0, channel: 'C1' },
    delivery: { status: 'owed' },
  });
  expect(woken).toEqual([notice?.id]);
});

test('an unmatched event is kept and not posted if there is no channel for it, and then no other workspace is looked at', async () => {
  const { keep, kept, lookups } = setUp({ isTheirs: true });
  await keep();
  expect(await kept()).toMatchObject([
    { event: EVENT, delivery: { status: 'given_up', code: 'no_channel' } },
  ]);
  expect(lookups()).toBe(0);
});

test('an unmatched event is kept and not posted if it belongs to a request of another workspace of the organization', async () => {
  const { keep, kept } = setUp({ channel: 'C1', isTheirs: true });
  await keep();
  const [notice] = await kept();
  expect(notice).toMatchObject({ delivery: { status: 'given_up', code: 'requested_by_sibling' } });
  expect(notice).not.toHaveProperty('channel');
});

test('an unmatched event is found by its order', async () => {
  const { keep, notices } = setUp({ channel: 'C1' });
  await keep();
  const { records } = await notices.listBySubject('T1', `order:${EVENT.target.toLowerCase()}`, 10);
  expect(records).toHaveLength(1);
});

test('an unmatched event is kept and told once, however often it comes, and another event is told, too', async () => {
  const { keep, kept, woken, state } = setUp({ channel: 'C1' });
  for (let i = 0; i < 3; i++) await keep();
  state.settings = { notificationsChannel: 'C2' };
  await keep();
  expect(await kept()).toMatchObject([{ channel: 'C1' }]);
  expect(woken).toHaveLength(1);
  await keep(event());
  expect(await kept()).toHaveLength(2);
});

test('an unmatched event is kept in each workspace that it is sent to', async () => {
  const { keep, kept } = setUp({ channel: 'C1' });
  await keep();
  await keep(EVENT, 'T2');
  expect(await kept('T1')).toMatchObject([{ workspace: 'T1', delivery: { status: 'owed' } }]);
  expect(await kept('T2')).toMatchObject([{ workspace: 'T2', delivery: { status: 'given_up' } }]);
});

test('an unmatched event is not kept while the storage or the settings cannot be read, and that is a fault', async () => {
  const { deps, woken } = createWorkspace();
  const away = { ...deps.workspaces, settings: () => Promise.reject(new Error('unreadable')) };
  const keeping = {
    ...deps,
    log: SILENT,
    workspaces: away,
    requestedBySibling: async () => false,
    inTurn: createInTurn().run,
  };
  const incoming = { workspace: 'T1', kind: 'cancel_order', event: EVENT } as const;
  await expect(keepUnmatched(keeping, incoming)).rejects.toThrow('unreadable');
  expect([await deps.notices.count('T1'), woken]).toEqual([0, []]);
});

describe('more events than five in an hour', () => {
  const count = async (kept: ReturnType<typeof setUp>['kept'], workspace?: string) =>
    (await kept(workspace, 'unmatched_events')).map((each) =>
      each.type === 'unmatched_events' ? each.summed : undefined,
    );

  test('are kept one by one, and told of by their number', async () => {
    const { keep, kept } = setUp({ channel: 'C1' });
    const all = Array.from({ length: 40 }, () => event());
    await Promise.all(all.map((each) => keep(each)));
    const notices = await kept();
    expect(notices).toHaveLength(40);
    const codes = notices.map(({ delivery }) => (delivery.status === 'given_up' ? delivery.code : 'posted'));
    expect(Map.groupBy(codes, (code) => code).get('posted')).toHaveLength(5);
    expect(Map.groupBy(codes, (code) => code).get('summed_up')).toHaveLength(35);
    expect(await count(kept)).toEqual([35]);
  });

  test('are counted once, however often they come, and apart in each workspace', async () => {
    const { keep, kept } = setUp({ channel: 'C1' });
    const all = Array.from({ length: 9 }, () => event());
    for (const each of [...all, ...all]) await keep(each);
    await keep(event(), 'T2');
    expect([await count(kept), await count(kept, 'T2')]).toEqual([[4], []]);
  });

  test('are counted in the write that stores them, so that none is counted and not stored', async () => {
    const { keep, kept, notices } = setUp({ channel: 'C1' });
    for (let n = 0; n < 5; n++) await keep(event());
    const { create, update } = notices;
    const away = () => Promise.reject(new Error('storage away'));
    // Any second write fails.
    notices.update = (...given) => {
      Object.assign(notices, { create: away, update: away });
      return update(...given);
    };
    await keep(event()).catch(() => {});
    Object.assign(notices, { create, update });
    expect([(await kept()).length, await count(kept)]).toEqual([6, [1]]);
  });

  test('are counted anew where the number of those before cannot be read', async () => {
    const { keep, kept, notices, woken, errors } = setUp({ channel: 'C1' });
    await keep();
    const [hour] = await kept('T1', 'unmatched_events');
    if (!hour) throw new Error('no event is counted');
    await overwrite(notices, noticeEntry({ ...hour, posted: undefined } as unknown as typeof hour));
    for (let n = 0; n < 7; n++) await keep(event());
    const { records } = await notices.listBySubject('T1', UNMATCHED_EVENTS, 1);
    expect(records).toMatchObject([{ summed: 2 }]);
    expect(new Set(woken).size).toBe(1 + 5 + 1);
    expect(errors).toHaveLength(1);
  });
});

test('an unmatched event that is older than one about the same request of the service is kept and not posted', async () => {
  const { keep, kept } = setUp({ channel: 'C1' });
  const about = { createdAt: T0 - 60_000 };
  await keep(event({ ...about, status: 'approved', updatedAt: T0 - 1_000 }));
  await keep(event({ ...about, topic: 'created', status: 'pending', updatedAt: T0 - 60_000 }));
  await keep(event({ createdAt: T0 - 30_000, status: 'pending', updatedAt: T0 - 30_000 }));
  const told = (await kept())
    .map(({ delivery }) => delivery)
    .map((d) => (d.status === 'given_up' ? d.code : d.status));
  expect(told.sort()).toEqual(['outdated', 'owed', 'owed']);
});
