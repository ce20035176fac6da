/** A policy by which two of a group approve, and a request that awaits their approval. */

import type { Policy } from '../../../src/requests/model/approvals/policy.ts';
import { newRecord } from '../../../src/requests/model/changes/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { REQUEST, T0 } from './records.ts';

const HOUR = 3_600_000;

export const POLICY: Policy = {
  approvers: { type: 'group', group: 'S1' },
  shownIn: 'where_requested',
  quorum: 2,
  emoji: { yes: 'white_check_mark', no: 'x' },
  expiresAfterMs: HOUR,
  reminds: true,
  mayWithdraw: true,
  setBy: 'UADMIN',
};

/** The same, with requests shown in the approvals channel. */
export const SHOWN_APART: Policy = { ...POLICY, channel: 'C2', shownIn: 'approvals_channel' };

export const waitingRecord = (policy: Policy = POLICY): RequestRecord =>
  newRecord(REQUEST, T0, { policy, earlier: [] });
