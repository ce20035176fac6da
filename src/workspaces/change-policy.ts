/** Use case: an admin changes the approval policy of a kind of request. Earlier requests keep theirs. */

import type { Kind } from '../requests/model/kinds.ts';
import type { Directory } from '../requests/ports/ports.ts';
import { type Drafted, type PolicyDraft, readPolicy } from '../requests/use-cases/approvals/draft-policy.ts';
import type { Saved, SettingsStore, Shown } from './settings.ts';

/** `shown`: the version of the settings that the form showed. */
export type ChangingPolicy = {
  workspace: string;
  by: string;
  kind: Kind;
  shown: Shown;
};

export type PolicyChanged =
  | Extract<Drafted, { type: 'invalid' }>
  | (Saved & Omit<Extract<Drafted, { type: 'policy' }>, 'type'>);

/** @throws if the storage or Slack is unavailable: nothing was changed */
export async function changePolicy(
  { directory, settings }: { directory: Directory; settings: SettingsStore },
  { workspace, by, kind, shown }: ChangingPolicy,
  draft: PolicyDraft,
): Promise<PolicyChanged> {
  const drafted = await readPolicy(directory, { workspace, by }, draft);
  if (drafted.type === 'invalid') return drafted;
  const saved = await settings.savePolicy(workspace, { kind, policy: drafted.policy }, shown, by);
  return { ...drafted, ...saved };
}
