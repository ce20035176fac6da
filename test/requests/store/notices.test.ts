import { describe, expect, test } from 'vitest';
import { newAdminsNotice } from '../../../src/requests/model/notices/notice.ts';
import { keepNotice } from '../../../src/requests/store/notices.ts';
import { T0 } from '../../support/requests/records.ts';
import { createWorkspace } from '../../support/requests/workspace.ts';

const REFUSED = newAdminsNotice(
  { type: 'token_refused', workspace: 'T1', generation: 'g1', since: T0, connectedBy: 'UOLGA' },
  T0,
);

describe('the notice of a refused token', () => {
  test('is stored once, however often it is made, and wakes the loop once', async () => {
    const { deps, woken } = createWorkspace();
    await keepNotice(deps, REFUSED);
    await keepNotice(deps, REFUSED);
    const kept = await deps.notices.list('T1', { limit: 10 });
    expect(kept).toMatchObject([{ type: 'token_refused', connectedBy: 'UOLGA' }]);
    expect(woken).toEqual(kept.map(({ id }) => id));
  });

  test('is not claimed to be made while the storage is unavailable', async () => {
    const { deps, woken } = createWorkspace();
    const outage = new Error('The storage is unavailable.');
    const create = () => Promise.reject(outage);
    await expect(keepNotice({ ...deps, notices: { ...deps.notices, create } }, REFUSED)).rejects.toBe(outage);
    expect(woken).toEqual([]);
  });
});
