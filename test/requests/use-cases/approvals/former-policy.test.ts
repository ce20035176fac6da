import { expect, test } from 'vitest';
import { newRecord } from '../../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { transition } from '../../../../src/requests/model/transition.ts';
import { keepingFormerPolicy } from '../../../../src/requests/use-cases/approvals/draft-policy.ts';
import { POLICY } from '../../../support/requests/approval-policy.ts';
import { answered, queued, REQUEST, said, T0 } from '../../../support/requests/records.ts';
import { createWorkspace } from '../../../support/requests/workspace.ts';

const awaiting = (n: number, policy = POLICY, more: Partial<RequestRecord> = {}): RequestRecord => ({
  ...newRecord({ ...REQUEST, id: `r${n}`, target: `A-${n}` }, T0 + n, { policy, earlier: [] }),
  ...more,
});
const NEW = { ...POLICY, quorum: 1 };
const CANCEL = { workspace: 'T1', kind: 'cancel_order' } as const;

async function kept(policy: typeof POLICY | undefined, ...records: RequestRecord[]) {
  const { deps, seed } = createWorkspace();
  await seed(...records);
  const { records: found, ...rest } = await keepingFormerPolicy(deps, { ...CANCEL, policy });
  return { ids: found.map(({ id }) => id), ...rest };
}

test('requests that are not sent yet and were made under another policy are found, the newest first', async () => {
  const ended = transition(awaiting(3), { type: 'person', by: 'U1', action: 'withdraw' }, T0);
  const found = await kept(
    NEW,
    awaiting(1),
    awaiting(2),
    ...(ended ? [ended] : []),
    awaiting(4, { ...NEW, setBy: 'UOTHER' }),
    awaiting(5, POLICY, { kind: 'send_offer' }),
    awaiting(6, POLICY, { workspace: 'T2' }),
    queued({ id: 'r7', target: 'A-7' }, T0 + 7),
    answered(said('pending'), { id: 'r8', target: 'A-8' }),
  );
  expect(found).toEqual({ ids: ['r7', 'r2', 'r1'], others: 0, atLeast: false });
});

test('requests that await an approval which is not needed any more are found, and none that needs none', async () => {
  const found = await kept(undefined, awaiting(1), queued({ id: 'r2', target: 'A-2' }));
  expect(found.ids).toEqual(['r1']);
});

test('ten are named and the others counted', async () => {
  const many = Array.from({ length: 25 }, (_, n) => awaiting(n));
  const found = await kept(NEW, ...many);
  expect(found.ids).toEqual(['r24', 'r23', 'r22', 'r21', 'r20', 'r19', 'r18', 'r17', 'r16', 'r15']);
  expect(found).toMatchObject({ others: 15, atLeast: false });
});

test('of very many requests only the newest are read, and their number is called a minimum', async () => {
  const many = Array.from({ length: 230 }, (_, n) => awaiting(n));
  expect(await kept(NEW, ...many)).toMatchObject({ others: 190, atLeast: true });
});
