/** What open requests tell of their approvers once Slack reports that these have changed; real events: test/e2e/approvers. */
import { expect, test } from 'vitest';
import type { Policy } from '../../../../src/requests/model/policy.ts';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { notesOf } from '../../../../src/requests/model/record-messages.ts';
import { withProblem } from '../../../../src/requests/model/record-notes.ts';
import {
  approversChanged,
  type ChangedMembers,
} from '../../../../src/requests/use-cases/approvals/approvers-changed.ts';
import { sharingChanged } from '../../../../src/requests/use-cases/sharing.ts';
import { POLICY, SHOWN_APART, waitingRecord } from '../../../support/requests/approval-policy.ts';
import { T0 } from '../../../support/requests/records.ts';
import { type Company, createWorkspace } from '../../../support/requests/workspace.ts';
import { inAnyVersion } from '../../../support/storage/versions.ts';

const GROUP: ChangedMembers = { workspace: 'T1', group: 'S1' };
const CHANNEL: ChangedMembers = { workspace: 'T1', channel: 'C2' };
const BY_MEMBERS: Policy = { ...POLICY, approvers: { type: 'channel' }, channel: 'C2' };

type Problem = NonNullable<Parameters<typeof withProblem>[1]>;

const stuck = (problem: Problem, policy: Policy = POLICY): RequestRecord =>
  withProblem(waitingRecord(policy), problem, T0);

/** The settings name no policy: each request was made under one that was changed since. */
async function setUp(company: Partial<Company>, ...records: RequestRecord[]) {
  const workspace = createWorkspace({ company });
  await workspace.seed(...records);
  return workspace;
}

test.each<[string, Problem, Policy, ChangedMembers]>([
  ['their user group is enabled again', 'group_unreadable', POLICY, GROUP],
  ['their user group has enough members again', 'too_few', POLICY, GROUP],
  ['enough people are in the approvals channel again', 'too_few', BY_MEMBERS, CHANNEL],
])(
  'a request can be approved again once %s, and its card says so',
  async (_name, problem, policy, changed) => {
    const record = stuck(problem, policy);
    const { deps, read, woken } = await setUp({}, record);
    await approversChanged(deps, changed);
    const after = await read(record);
    expect(after).toMatchObject({ revision: record.revision + 1, approval: { policy } });
    expect(after.approval?.problem).toBeUndefined();
    expect(woken).toEqual([record.id]);
  },
);

test('a request can be approved again once its approvals channel is no longer shared, and its card says so', async () => {
  const record = stuck('channel_shared', SHOWN_APART);
  const { deps, read } = await setUp({}, record);
  await sharingChanged(deps, { workspace: 'T1', channel: 'C2' });
  expect((await read(record)).approval?.problem).toBeUndefined();
});

test('the card says that nobody can approve once the approvals channel is shared, and an admin is told', async () => {
  const record = waitingRecord({ ...BY_MEMBERS, shownIn: 'where_requested' });
  const { deps, read } = await setUp({ channels: { C2: { isPrivate: true, isShared: true } } }, record);
  await sharingChanged(deps, { workspace: 'T1', channel: 'C2' });
  const after = await read(record);
  expect(after.approval?.problem).toBe('channel_shared');
  expect(notesOf(after)).toMatchObject([{ type: 'alarm', problem: 'channel_shared' }]);
});

test.each<[string, Partial<Company>, Problem, Policy, ChangedMembers]>([
  ['user group is gone', { groups: {} }, 'group_unreadable', POLICY, GROUP],
  ['user group has too few members', { groups: { S1: ['UANA'] } }, 'too_few', POLICY, GROUP],
  ['channel has too few members', { channels: { C2: { isPrivate: true } } }, 'too_few', BY_MEMBERS, CHANNEL],
])(
  'an admin is told of an open request whose %s, though no setting names it any more',
  async (_name, company, problem, policy, changed) => {
    const record = waitingRecord(policy);
    const { deps, read, woken } = await setUp(company, record);
    for (let i = 0; i < 2; i++) await approversChanged(deps, changed);
    const after = await read(record);
    expect(after).toMatchObject({ revision: record.revision + 1, approval: { problem } });
    expect(notesOf(after)).toMatchObject([{ type: 'alarm', problem }]);
    expect(woken).toEqual([record.id]);
    expect(await deps.notices.count('T1')).toBe(0);
  },
);

test.each<[string, RequestRecord, ChangedMembers]>([
  ['has enough approvers, as before', waitingRecord(), GROUP],
  ['is known to have too few, as before', stuck('too_few', { ...POLICY, quorum: 5 }), GROUP],
  ['needs the approval of another group', stuck('too_few'), { workspace: 'T1', group: 'S2' }],
  ['needs the approval of named people', stuck('too_few', named('UANA', 'UBEN')), GROUP],
  ['is no longer to be approved', { ...stuck('too_few'), state: 'declined' }, GROUP],
  ['cannot be posted, which no count tells', stuck('channel_refused', SHOWN_APART), GROUP],
])('nothing is written to a request that %s', async (_name, record, changed) => {
  const { deps, read, woken } = await setUp({}, record);
  await approversChanged(deps, changed);
  expect(await read(record)).toEqual(inAnyVersion(record));
  expect(woken).toEqual([]);
});

function named(...people: string[]): Policy {
  return { ...POLICY, approvers: { type: 'people', people } };
}

test.each([
  ['nothing is wrong', {}, waitingRecord()],
  ['a problem was found', {}, stuck('group_unreadable')],
  ['the approvers have gone', { groups: {} }, waitingRecord()],
])(
  'nothing is written while enough approvals are being confirmed, which finds out what is wrong: %s',
  async (_name, company, { approval, ...rest }) => {
    const confirmation = { since: T0, tries: 0, notBefore: T0 };
    const record = { ...rest, approval: approval && { ...approval, confirmation } };
    const { deps, read, woken } = await setUp(company, record);
    await approversChanged(deps, GROUP);
    expect(await read(record)).toEqual(inAnyVersion(record));
    expect(woken).toEqual([]);
  },
);

test('Slack is asked for a group once, however many requests it approves, and once more after a change', async () => {
  const records = [1, 2, 3].map((n) => ({ ...stuck('too_few'), id: `r${n}`, target: `A-${n}` }));
  const { deps } = await setUp({}, ...records);
  let asked = 0;
  const groupMembers: typeof deps.directory.groupMembers = (...group) => {
    asked += 1;
    return deps.directory.groupMembers(...group);
  };
  const counting = { ...deps, directory: { ...deps.directory, groupMembers } };
  await approversChanged(counting, GROUP);
  expect(asked).toBe(2);
});

test('what counts is what Slack says of a group in the end, also to a process that was frozen after it had asked', async () => {
  const record = waitingRecord();
  const { deps, state, read } = await setUp({ groups: {} }, record);
  const groupMembers: typeof deps.directory.groupMembers = async (...asked) => {
    const answer = await deps.directory.groupMembers(...asked);
    state.company.groups = { S1: ['UANA', 'UBEN'] };
    return answer;
  };
  await approversChanged({ ...deps, directory: { ...deps.directory, groupMembers } }, GROUP);
  expect((await read(record)).approval?.problem).toBeUndefined();
});

test('a change of approvers is heard of again where Slack was away', async () => {
  const record = stuck('group_unreadable');
  const { deps, state, read } = await setUp({ isAway: true }, record);
  await expect(approversChanged(deps, GROUP)).rejects.toThrow('Slack is away');
  state.company.isAway = false;
  await approversChanged(deps, GROUP);
  expect((await read(record)).approval?.problem).toBeUndefined();
});
