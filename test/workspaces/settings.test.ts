import { describe, expect, test } from 'vitest';
import type { Policy } from '../../src/requests/approvals/policy.ts';
import { connectionsDesk } from '../support/connections.ts';

const POLICY: Policy = {
  approvers: { type: 'channel' },
  channel: 'C1',
  shownIn: 'approvals_channel',
  quorum: 1,
  emoji: { yes: 'white_check_mark', no: 'x' },
  lapseMs: 60_000,
  reminds: false,
  mayWithdraw: true,
  setBy: 'U1',
};

describe('a channel that has another id now', () => {
  test('has it wherever it was set, and no other channel does', async () => {
    const { settings } = connectionsDesk();
    const policies = { cancel_order: POLICY, send_offer: { ...POLICY, channel: 'C2' } };
    const others = { askers: 'S1', sharedChannels: true };
    await settings.change('T1', { ...others, notificationsChannel: 'C1', policies });
    await settings.change('T2', { notificationsChannel: 'C1' });
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(await settings.read('T1')).toEqual({
      ...others,
      notificationsChannel: 'C9',
      policies: { ...policies, cancel_order: { ...POLICY, channel: 'C9' } },
    });
    expect(await settings.read('T2')).toEqual({ notificationsChannel: 'C1' });
  });

  test('that was set nowhere changes nothing, and writes nothing', async () => {
    const { settings, rows } = connectionsDesk();
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(rows()).toBe('[]');
    await settings.change('T1', { notificationsChannel: 'C2' });
    await settings.renameChannel('T1', 'C1', 'C9');
    expect(await settings.read('T1')).toEqual({ notificationsChannel: 'C2' });
  });
});
