/** An admin has decided whose approval a kind of request needs. */
import type { types, webApi } from '@slack/bolt';
import { type PolicyDraft, policyMistakes } from '../../../requests/approvals/draft-policy.ts';
import type { Kind } from '../../../requests/kinds.ts';
import { noticeModal } from '../../ui/notice-modal.ts';
import {
  POLICY_OVERTAKEN,
  POLICY_UNCHANGED,
  policyErrors,
  readPolicyMetadata,
  readPolicyModal,
} from '../../ui/policy-form.ts';
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
    const { kind } = readPolicyMetadata(view.private_metadata);
    const { policies } = await deps.settings(workspaceOf(context));
    return policyErrors(policyMistakes(readPolicyModal(view.state.values), policies?.[kind]));
  };
  return slowSubmission({ ...FORM, mistakes }, deps, async ({ body, client, context, view }) => {
    const workspace = workspaceOf(context);
    const whose = { workspace, by: body.user.id, ...readPolicyMetadata(view.private_metadata) };
    const draft = readPolicyModal(view.state.values);
    const changed = await deps.changePolicy(whose, draft);
    if (changed.type === 'invalid') {
      const errors = policyErrors(changed.problems);
      return refused(await filledForm(client, whose, draft, errors), errors);
    }
    if (changed.type !== 'saved') return notSaved(NOT_SAVED[changed.type]);
    await showSettings(deps, client, workspace, view.root_view_id ?? undefined);
    const texts = savedTexts(whose.kind, changed.policy, changed.isTight);
    return { view: noticeModal(POLICY_TITLE, ...texts), text: texts.join(' ') };
  });
}

const NOT_SAVED = { overtaken: POLICY_OVERTAKEN, unchanged: POLICY_UNCHANGED };

const notSaved = (text: string): Outcome => ({ view: noticeModal(POLICY_TITLE, text), text });

/** The form as it was filled in, with what is wrong with it. */
async function filledForm(
  client: webApi.WebClient,
  { workspace, kind, shown }: { workspace: string; kind: Kind; shown: string },
  draft: PolicyDraft,
  errors: Record<string, string>,
): Promise<types.ModalView> {
  const group = draft.group === undefined ? undefined : await nameGroup(client, workspace, draft.group);
  return policyModal(kind, { draft, shown }, group, errors);
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
