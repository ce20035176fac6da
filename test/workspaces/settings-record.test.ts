/** What a change of the settings leaves beside them: the audit entry, and the notices to the channels that are told. */
import { expect, test } from 'vitest';
import { withGeneral, withoutPause, withPause } from '../../src/workspaces/settings-record.ts';

const CURRENT = { workspace: 'T1', version: 3, at: 1_000, settings: { notificationsChannel: 'C1' } };

test('a change of the notifications channel is told to the former one, too', () => {
  const decided = withGeneral(CURRENT, { notificationsChannel: 'C2' }, { shown: 3, by: 'UADMIN' });
  const notices = decided.type === 'write' ? (decided.notices ?? []) : [];
  expect(notices.map(({ channel }) => channel)).toEqual(['C1', 'C2']);
});

test('whoever pauses or resumes sending is in the audit trail by that write', () => {
  const paused = withPause(CURRENT, { by: 'UADMIN' });
  expect(paused).toMatchObject({ type: 'write', acts: [{ act: 'paused', by: ['UADMIN'] }] });
  const settings = paused.type === 'write' ? paused.next : {};
  expect(withoutPause({ ...CURRENT, settings }, { by: 'UBEN' })).toMatchObject({
    type: 'write',
    acts: [{ act: 'resumed', by: ['UBEN'] }],
  });
});
