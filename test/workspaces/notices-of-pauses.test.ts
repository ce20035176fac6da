/** A pause, or its end, that Slack takes late is told only while it still holds. */
import { expect, test } from 'vitest';
import { newSendingNotice } from '../../src/requests/model/notices/notice.ts';
import type { Settings } from '../../src/requests/model/settings.ts';
import { isNoticeInForce } from '../../src/workspaces/tell-admins.ts';

const FIRST = { by: 'UOLGA', at: 1_000 };
const SECOND = { by: 'UOLGA', at: 3_000 };
const about = { workspace: 'T1', channel: 'C1', by: 'UOLGA', pause: FIRST };
const PAUSED = newSendingNotice({ ...about, type: 'sending_paused', at: 1_000 });
const RESUMED = newSendingNotice({ ...about, type: 'sending_resumed', at: 2_000 });

test.each<[string, Settings, string[]]>([
  ['goes on', { paused: FIRST }, ['sending_paused']],
  ['has ended', { resumed: { by: 'UOLGA', at: 2_000, pause: FIRST } }, ['sending_resumed']],
  ['has ended, and another one goes on', { paused: SECOND }, []],
])('where a pause %s', async (_how, inForce, told) => {
  const deps = {
    connections: { find: async () => undefined },
    installations: { facts: async () => undefined },
    settings: { read: async () => inForce },
    servedBy: async () => undefined,
  };
  const holding = [];
  for (const notice of [PAUSED, RESUMED]) if (await isNoticeInForce(deps, notice)) holding.push(notice.type);
  expect(holding).toEqual(told);
});
