/** Use case: an admin has saved a policy, and sees which open requests keep the former one. */
import { isSamePolicy, type Policy } from '../../model/approvals/policy.ts';
import type { Kind } from '../../model/kinds.ts';
import type { RequestRecord } from '../../model/record.ts';
import type { RequestStore } from '../../ports/ports.ts';
import { unsentSubject } from '../../store/entry.ts';

/** The newest requests that keep the former policy; `others`: how many more do, `atLeast` or exactly. */
export type KeepingFormer = { records: RequestRecord[]; others: number; atLeast: boolean };

const MOST_NAMED = 10;
const MOST_READ = 200;

/**
 * Finds the requests that are not sent yet and were made under another policy: they are approved, or sent without an
 * approval, as it asked for. A request that is sent again asks for approval under the policy in force.
 *
 * @param policy in force; undefined: no approval is needed
 * @throws if the storage can't be read
 */
export async function keepingFormerPolicy(
  { store }: { store: RequestStore },
  { workspace, kind, policy }: { workspace: string; kind: Kind; policy: Policy | undefined },
): Promise<KeepingFormer> {
  const { records: unsent } = await store.listBySubject(workspace, unsentSubject(kind), MOST_READ);
  const former = unsent.filter(({ approval }) => !isSamePolicy(approval?.policy, policy));
  return {
    records: former.slice(0, MOST_NAMED),
    others: Math.max(0, former.length - MOST_NAMED),
    atLeast: unsent.length === MOST_READ,
  };
}
