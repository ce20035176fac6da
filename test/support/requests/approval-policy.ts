/** A request that awaits approval, by the policies of the catalogue. */
import { POLICY, REQUEST, T0 } from '../../../src/catalogue/examples.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';

export { POLICY, SHOWN_APART } from '../../../src/catalogue/examples.ts';

export const waitingRecord = (policy: Policy = POLICY): RequestRecord =>
  newRecord(REQUEST, T0, { policy, earlier: [] });
