/** An admin has decided whose approval a kind of request needs. */
import type { types, webApi } from '@slack/bolt';
import { type PolicyDraft, policyMistakes } from '../../../requests/approvals/draft-policy.ts';
import { KIND_NAMES, type Kind } from '../../../requests/kinds.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import { policyErrors, readPolicyModal } from '../../ui/policy-form.ts';
import { savedTexts } from '../../ui/policy-lines.ts';
import { POLICY_TITLE, policyModal } from '../../ui/policy-modal.ts';
import { settingsModal } from '../../ui/settings-modal.ts';
import { waitingModal } from '../../ui/waiting-modal.ts';
import { nameGroup } from '../../user-groups.ts';
import { replaceView } from '../../views.ts';
import { type Listener, type ListenerDeps, type ViewArgs, workspaceOf } from '../listener.ts';
import { type Outcome, slowSubmission } from '../slow-submission.ts';

const FORM = { title: POLICY_TITLE, waiting: waitingModal(POLICY_TITLE, 'Checking who can approve…') };

/** Who can approve is read after the form is acknowledged: that may take longer than Slack waits for an answer. */
export function policySubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const mistakes = async ({ view, context }: ViewArgs) => {
    const { policies } = await deps.settings(workspaceOf(context));
    return policyErrors(policyMistakes(readPolicyModal(view.state.values), policies?.[kindOf(view)]));
  };
  return slowSubmission({ ...FORM, mistakes }, deps, async ({ body, client, context, view }) => {
    const whose = { workspace: workspaceOf(context), by: body.user.id, kind: kindOf(view) };
    const draft = readPolicyModal(view.state.values);
    const changed = await deps.changePolicy(whose, draft);
    if (changed.type === 'invalid') {
      const errors = policyErrors(changed.problems);
      return refused(await filledForm(client, whose, draft, errors), errors);
    }
    await showSettings(deps, client, whose.workspace, view.root_view_id ?? undefined);
    const texts = savedTexts(whose.kind, changed.policy, changed.isTight);
    return { view: noticeModal(POLICY_TITLE, ...texts), text: texts.join(' ') };
  });
}

function kindOf({ private_metadata }: ViewArgs['view']): Kind {
  const kind = KIND_NAMES.find((name) => name === private_metadata);
  if (!kind) throw new Error('Slack named no kind of request.');
  return kind;
}

/** The form as it was filled in, with what is wrong with it. */
async function filledForm(
  client: webApi.WebClient,
  { workspace, kind }: { workspace: string; kind: Kind },
  draft: PolicyDraft,
  errors: Record<string, string>,
): Promise<types.ModalView> {
  const group = draft.group === undefined ? undefined : await nameGroup(client, workspace, draft.group);
  return policyModal(kind, draft, group, errors);
}

const refused = (view: types.ModalView, errors: Record<string, string>): Outcome => ({
  view,
  text: `The approval was not changed. ${Object.values(errors).join(' ')}`,
});

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
