/** Use case: an admin changes whose approval a kind of request needs. Requests that were made before keep theirs. */
import { type Drafted, type PolicyDraft, readPolicy } from '../requests/approvals/draft-policy.ts';
import type { Kind } from '../requests/kinds.ts';
import type { Directory } from '../requests/ports.ts';
import type { SettingsStore } from './settings.ts';

/** @throws where the storage or Slack is away: nothing was changed */
export async function changePolicy(
  { directory, settings }: { directory: Directory; settings: SettingsStore },
  { workspace, by, kind }: { workspace: string; by: string; kind: Kind },
  draft: PolicyDraft,
): Promise<Drafted> {
  const { policies } = await settings.read(workspace);
  const drafted = await readPolicy(directory, { workspace, by, standing: policies?.[kind] }, draft);
  if (drafted.type === 'invalid') return drafted;
  await settings.change(workspace, { policies: { ...policies, [kind]: drafted.policy } });
  return drafted;
}
