/** An admin has decided whose approval a kind of request needs. */
import type { webApi } from '@slack/bolt';
import { type PolicyDraft, policyMistakes } from '../../../requests/use-cases/approvals/draft-policy.ts';
import type { ChangingPolicy } from '../../../workspaces/change-policy.ts';
import { noticeModal } from '../../blocks/notice-modal.ts';
import { waitingModal } from '../../blocks/waiting-modal.ts';
import { nameGroup } from '../../directory/user-groups.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { type Outcome, slowSubmission } from '../slow-submission.ts';
import { replaceView } from '../views.ts';
import { settingsModal } from './modal.ts';
import {
  POLICY_OVERTAKEN,
  POLICY_UNCHANGED,
  policyErrors,
  readPolicyMetadata,
  readPolicyModal,
} from './policy-form.ts';
import { savedTexts } from './policy-lines.ts';
import { POLICY_TITLE, policyModal } from './policy-modal.ts';

const FORM = { title: POLICY_TITLE, waiting: waitingModal(POLICY_TITLE, 'Checking who can approve…') };

/** Who can approve is read after the form is acknowledged: that may take longer than Slack waits for an answer. */
export function policySubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const mistakes = async ({ view, context }: ViewArgs) => {
    const { policies } = await deps.settings(workspaceOf(context));
    const { kind } = readPolicyMetadata(view.private_metadata);
    return policyErrors(policyMistakes(readPolicyModal(view.state.values), policies?.[kind]));
  };
  return slowSubmission({ ...FORM, mistakes }, deps, async ({ body, client, context, view }) => {
    const workspace = workspaceOf(context);
    const whose = { workspace, by: body.user.id, ...readPolicyMetadata(view.private_metadata) };
    const draft = readPolicyModal(view.state.values);
    const changed = await deps.changePolicy(whose, draft);
    switch (changed.type) {
      case 'invalid':
        return refused(client, whose, draft, policyErrors(changed.problems));
      case 'overtaken':
        return said(POLICY_OVERTAKEN);
      case 'unchanged':
        return said(POLICY_UNCHANGED);
      case 'saved':
        await showSettings(deps, client, workspace, view.root_view_id ?? undefined);
        return said(...savedTexts(whose.kind, changed.policy, changed.isTight));
    }
  });
}

const said = (...texts: string[]): Outcome => ({
  view: noticeModal(POLICY_TITLE, ...texts),
  text: texts.join(' '),
});

/** The form as it was filled in, with what is wrong with it. */
async function refused(
  client: webApi.WebClient,
  { workspace, kind, shown }: ChangingPolicy,
  draft: PolicyDraft,
  errors: Record<string, string>,
): Promise<Outcome> {
  const group = draft.group === undefined ? undefined : await nameGroup(client, workspace, draft.group);
  return {
    view: policyModal({ kind, shown }, draft, { group, errors }),
    text: `The approval was not changed. ${Object.values(errors).join(' ')}`,
  };
}

/** The settings beneath show the policy as it is now. */
async function showSettings(
  deps: ListenerDeps,
  client: webApi.WebClient,
  workspace: string,
  id: string | undefined,
): Promise<void> {
  const settings = await deps.settings(workspace);
  const group = settings.askers ? await nameGroup(client, workspace, settings.askers) : undefined;
  await replaceView(client, { id }, settingsModal(settings, group));
}
