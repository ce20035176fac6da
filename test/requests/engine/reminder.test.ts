/** The approvers are counted before they are reminded; with a real Slack: test/e2e/approval/time.test.ts. */
import { expect, test } from 'vitest';
import type { UpdateResult } from '../../../src/outbox/delivery.ts';
import { newUpkeep } from '../../../src/outbox/message.ts';
import type { ApproversProblem, Policy } from '../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { isNote, votedOn } from '../../../src/requests/model/record-messages.ts';
import { withCount, withProblem } from '../../../src/requests/model/record-notes.ts';
import { advanceRequest } from '../../support/requests/advance-request.ts';
import { POLICY, SHOWN_APART, waitingRecord } from '../../support/requests/approval-policy.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { said, T0 } from '../../support/requests/records.ts';

/** A request that awaits approval, with its messages in Slack and up to date. */
function posted(policy: Policy): RequestRecord {
  const { messages, ...record } = waitingRecord(policy);
  const location = { channel: 'C1', ts: '1.0' };
  const upkeep = { ...newUpkeep(T0), shown: record.revision };
  const delivery = { status: 'posted' as const, ...location };
  return { ...record, messages: messages.map((message) => ({ ...message, delivery, location, upkeep })) };
}
const POSTED = posted(POLICY);
const APART = posted(SHOWN_APART);
const GONE = { type: 'gone', code: 'message_not_found' } as const;
const ARCHIVED = { type: 'out_of_reach', code: 'channel_archived' } as const;

const DONE = { type: 'posted' } as const;

/** At half of the time for approval. @param updating the answer to an update of the message to react to */
async function halfway(
  count: () => Promise<ApproversProblem | undefined>,
  record: RequestRecord = POSTED,
  updating: UpdateResult = DONE,
) {
  const { create, pass, deps, read } = createEngineHarness({ answer: said('canceled') });
  await create(record);
  pass(POLICY.expiresAfterMs / 2);
  const countApprovers = async (counted: RequestRecord, now: number) =>
    withCount(counted, await count(), now);
  const { messenger, ...others } = deps({ countApprovers });
  const update = async (_record: RequestRecord, key: string) =>
    key === votedOn(record).key ? updating : DONE;
  await advanceRequest({ ...others, messenger: { ...messenger, update } }, record);
  const { state, approval, messages } = await read(record);
  const told = messages.filter(
    (message) => (isNote(message) || message.type === 'reply') && message.delivery.status === 'posted',
  );
  return { state, problem: approval?.problem, told: told.map(({ type }) => type) };
}

test('an admin is told that too few approvers are left, and nobody is reminded', async () => {
  const { problem, told } = await halfway(async () => 'too_few');
  expect([problem, told]).toEqual(['too_few', ['alarm']]);
});

test('an admin is told what else keeps people from voting, and the reminder says it, too', async () => {
  const { problem, told } = await halfway(async () => 'channel_shared');
  expect([problem, told]).toEqual(['channel_shared', ['alarm', 'reminder']]);
});

test('a problem that was fixed without anybody noticing is not in the reminder', async () => {
  const record = withProblem(POSTED, 'channel_not_private', T0);
  const { problem, told } = await halfway(async () => undefined, record);
  expect([problem, told]).toEqual([undefined, ['reminder']]);
});

test('the approvers are reminded although Slack cannot be asked about them', async () => {
  const { problem, told } = await halfway(() => Promise.reject(new Error('Slack is away')));
  expect([problem, told]).toEqual([undefined, ['reminder']]);
});

test.each([
  ['the card was deleted', POSTED, GONE],
  ['the channel of the card is archived', POSTED, ARCHIVED],
  ['the approval message was deleted', APART, GONE],
])(
  'in place of a reminder, the request ends and its requester is told: %s',
  async (_name, record, result) => {
    const { state, told } = await halfway(async () => undefined, record, result);
    expect([state, told]).toEqual(['not_sent', ['reply']]);
  },
);

test('an admin is told where the approval message, and its reminder, are out of reach', async () => {
  const { state, problem, told } = await halfway(async () => undefined, APART, ARCHIVED);
  expect([state, problem, told]).toEqual(['awaiting_approval', 'channel_archived', ['reminder', 'alarm']]);
});
