import { expect, test } from 'vitest';
import { createInbox } from '../../../../src/requests/use-cases/record-event.ts';
import { event, T0 } from '../../../support/requests/records.ts';
import { createWorkspace } from '../../../support/requests/workspace.ts';

/** @param isTheirs whether another workspace of the organization has made the request */
function setUp({ channel, isTheirs = false }: { channel?: string; isTheirs?: boolean }) {
  const { deps, woken, state } = createWorkspace({ settings: { notificationsChannel: channel } });
  let lookups = 0;
  const requestedBySibling = async () => {
    lookups += 1;
    return isTheirs;
  };
  const { workspaceNotifications } = deps;
  const inbox = createInbox({ ...deps, requestedBySibling });
  const kept = (workspace = 'T1') => workspaceNotifications.list(workspace, { limit: 10 });
  return { inbox, kept, woken, state, workspaceNotifications, lookups: () => lookups };
}

const EVENT = event({ digest: 'd' });

test('an event that belongs to no request is kept, and told where an admin wants it', async () => {
  const { inbox, kept, woken } = setUp({ channel: 'C1' });
  await inbox.put('T1', 'cancel_order', EVENT);
  const [notification] = await kept();
  expect(notification).toMatchObject({
    ...{ type: 'event', kind: 'cancel_order', event: EVENT, at: T0, channel: 'C1' },
    delivery: { status: 'owed' },
  });
  expect(woken).toEqual([notification?.id]);
});

test('it is only kept where there is no channel for it, and no other workspace is looked at', async () => {
  const { inbox, kept, lookups } = setUp({ isTheirs: true });
  await inbox.put('T1', 'cancel_order', EVENT);
  expect(await kept()).toMatchObject([
    { event: EVENT, delivery: { status: 'given_up', code: 'no_channel' } },
  ]);
  expect(lookups()).toBe(0);
});

test('it is only kept where it belongs to a request of another workspace of the organization', async () => {
  const { inbox, kept } = setUp({ channel: 'C1', isTheirs: true });
  await inbox.put('T1', 'cancel_order', EVENT);
  const [notification] = await kept();
  expect(notification).toMatchObject({ delivery: { status: 'given_up', code: 'requested_by_sibling' } });
  expect(notification).not.toHaveProperty('channel');
});

test('it is found by its order', async () => {
  const { inbox, workspaceNotifications } = setUp({ channel: 'C1' });
  await inbox.put('T1', 'cancel_order', EVENT);
  expect((await workspaceNotifications.listBySubject('T1', EVENT.target, 10)).records).toHaveLength(1);
});

test('it is kept and told once, however often it comes, and another one is another', async () => {
  const { inbox, kept, woken, state } = setUp({ channel: 'C1' });
  for (let i = 0; i < 3; i++) await inbox.put('T1', 'cancel_order', EVENT);
  state.settings = { notificationsChannel: 'C2' };
  await inbox.put('T1', 'cancel_order', EVENT);
  expect(await kept()).toMatchObject([{ channel: 'C1' }]);
  expect(woken).toHaveLength(1);
  await inbox.put('T1', 'cancel_order', event());
  expect(await kept()).toHaveLength(2);
});

test('it is one in each workspace that it is sent to', async () => {
  const { inbox, kept } = setUp({ channel: 'C1' });
  await inbox.put('T1', 'cancel_order', EVENT);
  await inbox.put('T2', 'cancel_order', EVENT);
  expect(await kept('T1')).toMatchObject([{ workspace: 'T1', delivery: { status: 'owed' } }]);
  expect(await kept('T2')).toMatchObject([{ workspace: 'T2', delivery: { status: 'given_up' } }]);
});

test('while the storage or the settings can not be read nothing is kept, and that is a fault', async () => {
  const { deps, woken } = createWorkspace();
  const away = { ...deps.workspaces, settings: () => Promise.reject(new Error('unreadable')) };
  const inbox = createInbox({ ...deps, workspaces: away, requestedBySibling: async () => false });
  await expect(inbox.put('T1', 'cancel_order', EVENT)).rejects.toThrow('unreadable');
  expect([await deps.workspaceNotifications.count('T1'), woken]).toEqual([0, []]);
});
