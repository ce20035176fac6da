/** What Slack takes late about a token, or about events, is told only while it still holds. */
import { expect, test } from 'vitest';
import { newAdminsNotice } from '../../src/requests/model/notices/notice.ts';
import { CONNECTION_ID, type Connection } from '../../src/workspaces/connection/connection.ts';
import { isNoticeInForce } from '../../src/workspaces/tell-admins.ts';

const CONNECTION: Connection = {
  workspace: 'T1',
  id: CONNECTION_ID,
  version: 1,
  generation: 'first',
  tokenKind: 'rest',
  exclusive: false,
  token: { generation: 'first', fingerprint: 'fingerprint' },
  endpoint: 'endpoint',
  secrets: [{ sealed: 'sealed' }],
  connectedBy: 'UOLGA',
  connectedAt: 0,
};
const PAUSE = { state: 'paused', since: 1_000, refusals: 1, dueAt: 61_000, at: 1_000, told: true } as const;
const PAUSED: Connection = { ...CONNECTION, pause: PAUSE };
const { token: _dropped, ...DISCONNECTED } = PAUSED;
const about = { workspace: 'T1', generation: 'first', since: 1_000, connectedBy: 'UOLGA' };

test.each<[string, Connection | undefined, string[]]>([
  ['are paused', PAUSED, ['token_refused', 'events_refused']],
  [
    'are let through one by one',
    { ...PAUSED, pause: { ...PAUSE, state: 'open' } },
    ['token_refused', 'events_refused'],
  ],
  ['go on again', { ...PAUSED, pause: { ...PAUSE, state: 'over' } }, ['events_refused']],
  ['were never paused', CONNECTION, ['events_refused']],
  ['are paused for another token, which was connected since', { ...PAUSED, generation: 'second' }, []],
  ['end with the connection', DISCONNECTED, []],
  ['have no connection any more', undefined, []],
])('where calls %s', async (_how, connection, told) => {
  const deps = {
    connections: { find: async () => connection },
    installations: { facts: async () => undefined },
    settings: { read: async () => ({}) },
    servedBy: async () => undefined,
  };
  const holding: string[] = [];
  for (const type of ['token_refused', 'events_refused'] as const) {
    if (await isNoticeInForce(deps, newAdminsNotice({ ...about, type }, 1_000))) holding.push(type);
  }
  expect(holding).toEqual(told);
});
