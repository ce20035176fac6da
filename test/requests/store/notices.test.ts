import { describe, expect, test } from 'vitest';
import { notifyAdmins } from '../../../src/requests/store/notices.ts';
import { T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const REFUSED = {
  type: 'token_refused' as const,
  workspace: 'T1',
  generation: 'g1',
  since: T0,
  connectedBy: 'UOLGA',
};

describe('the notice of a refused token', () => {
  test('is stored once, however often it is made, and wakes the loop once', async () => {
    const { deps, woken } = createWorkspace();
    await notifyAdmins(deps, REFUSED);
    await notifyAdmins(deps, REFUSED);
    const kept = await deps.notices.list('T1', { limit: 10 });
    expect(kept).toMatchObject([{ type: 'token_refused', connectedBy: 'UOLGA' }]);
    expect(woken).toEqual(kept.map(({ id }) => id));
  });

  test('is not claimed to be made while the storage is unavailable', async () => {
    const { deps, woken } = createWorkspace();
    const outage = new Error('The storage is unavailable.');
    const create = () => Promise.reject(outage);
    await expect(notifyAdmins({ ...deps, notices: { ...deps.notices, create } }, REFUSED)).rejects.toBe(
      outage,
    );
    expect(woken).toEqual([]);
  });
});
