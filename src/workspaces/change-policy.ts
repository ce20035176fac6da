/** Use case: an admin changes whose approval a kind of request needs. Requests that were made before keep theirs. */

import type { Kind } from '../requests/model/kinds.ts';
import type { Directory } from '../requests/ports/ports.ts';
import { type Drafted, type PolicyDraft, readPolicy } from '../requests/use-cases/approvals/draft-policy.ts';
import type { Saved, SettingsStore } from './settings.ts';

/** `shown`: the digest of the policy that the form showed. */
export type ChangingPolicy = { workspace: string; by: string; kind: Kind; shown: string };

export type PolicyChanged = Extract<Drafted, { type: 'invalid' }> | SavedPolicy;

type SavedPolicy = { type: Saved['type'] } & Omit<Extract<Drafted, { type: 'policy' }>, 'type'>;

/** @throws where the storage or Slack is away: nothing was changed */
export async function changePolicy(
  { directory, settings }: { directory: Directory; settings: SettingsStore },
  { workspace, by, kind, shown }: ChangingPolicy,
  draft: PolicyDraft,
): Promise<PolicyChanged> {
  const { policies } = await settings.read(workspace);
  const drafted = await readPolicy(directory, { workspace, by, standing: policies?.[kind] }, draft);
  if (drafted.type === 'invalid') return drafted;
  const { type } = await settings.savePolicy(workspace, { kind, policy: drafted.policy }, shown);
  return { ...drafted, type };
}
