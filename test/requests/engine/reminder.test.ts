/** The approvers are counted before they are reminded; with a real Slack: test/e2e/approval/time.test.ts. */
import { expect, test } from 'vitest';
import type { ApproversProblem } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { notesOf } from '../../../src/requests/model/record-messages.ts';
import { withCount, withProblem } from '../../../src/requests/model/record-notes.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { said, T0, withCard } from '../../support/requests/records.ts';

const POSTED = withCard(waitingRecord(), {
  delivery: { status: 'posted', channel: 'C1', ts: '1.0' },
  location: { channel: 'C1', ts: '1.0' },
});

/** At half of the time for approval. */
async function halfway(count: () => Promise<ApproversProblem | undefined>, record: RequestRecord = POSTED) {
  const { create, pass, deps, read } = createEngineHarness({ answer: said('canceled') });
  await create(record);
  pass(POLICY.expiresAfterMs / 2);
  const countApprovers = async (counted: RequestRecord, now: number) =>
    withCount(counted, await count(), now);
  await advanceRequest(deps({ countApprovers }), record);
  const after = await read(record);
  return { problem: after.approval?.problem, notes: notesOf(after).map(({ type }) => type) };
}

test('an admin is told that too few approvers are left, and nobody is reminded', async () => {
  const { problem, notes } = await halfway(async () => 'too_few');
  expect([problem, notes]).toEqual(['too_few', ['alarm']]);
});

test('an admin is told what else keeps people from voting, and the reminder says it, too', async () => {
  const { problem, notes } = await halfway(async () => 'channel_shared');
  expect([problem, notes]).toEqual(['channel_shared', ['alarm', 'reminder']]);
});

test('a problem that was fixed without anybody noticing is not in the reminder', async () => {
  const record = withProblem(POSTED, 'channel_not_private', T0);
  const { problem, notes } = await halfway(async () => undefined, record);
  expect([problem, notes]).toEqual([undefined, ['alarm', 'reminder']]);
});

test('the approvers are reminded although Slack cannot be asked about them', async () => {
  const { problem, notes } = await halfway(() => Promise.reject(new Error('Slack is away')));
  expect([problem, notes]).toEqual([undefined, ['reminder']]);
});
