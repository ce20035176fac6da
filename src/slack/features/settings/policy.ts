/** The button "Change" beside an approval in the settings, and its form, which opens on top of them. */
import type { types, webApi } from '@slack/bolt';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import type { Policy } from '../../../requests/model/policy.ts';
import { type PolicyDraft, policyMistakes } from '../../../requests/use-cases/approvals/draft-policy.ts';
import type { ChangingPolicy } from '../../../workspaces/settings.ts';
import { type FieldErrors, textModal, waitingModal } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { nameGroup } from '../../directory/read-people.ts';
import { adminModalAction, type SlowResult, slowSubmission } from '../admin-only.ts';
import {
  type ActionArgs,
  buttonValue,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../listener.ts';
import { createRedraw, viewBeneath } from '../views.ts';
import {
  type AboutPolicy,
  draftOf,
  FORMER_UNKNOWN,
  formerPolicyTexts,
  POLICY_CONFLICT,
  POLICY_TITLE,
  POLICY_UNCHANGED,
  policyErrors,
  policyModal,
  readPolicyForm,
  savedPolicyTexts,
} from './policy-form.ts';
import { shownAfter, showSettings } from './settings.ts';
import { versionShown } from './settings-form.ts';

const FRAME = { title: POLICY_TITLE, meanwhile: 'Loading the settings…' };

export const changePolicyAction = (deps: ListenerDeps): Listener<ActionArgs> =>
  adminModalAction(deps, FRAME, async ({ workspace, client }, { action, body }) => {
    const kind = KIND_NAMES.find((name) => name === buttonValue(action));
    if (!kind) throw new Error('Slack named no kind of request.');
    const { settings, version: shown } = await deps.settingsInForce(workspace);
    const policy = settings.policies?.[kind];
    const beneath = versionShown(body);
    return formWith(client, workspace, { kind, shown, beneath }, policy && draftOf(policy));
  });

/** Draws the form anew after a choice on which other fields depend: with these fields, and with all that was filled in. */
export function policyChoiceActions(): Record<string, Listener<ActionArgs>> {
  const redraw = createRedraw();
  const action: Listener<ActionArgs> = async ({ ack, body, client, context }) => {
    await ack();
    const { view } = body;
    if (!view) throw new Error("Slack's payload has no view, so there is no form to update.");
    const { about, draft } = readPolicyForm(view);
    const workspace = workspaceOf(context);
    await redraw(client, workspace, view, () => formWith(client, workspace, about, draft));
  };
  return { [ACTIONS.approvers]: action, [ACTIONS.shownIn]: action };
}

/** The form as it was filled in, with the mistakes in it. */
async function formWith(
  client: webApi.WebClient,
  workspace: string,
  about: AboutPolicy,
  draft: PolicyDraft | undefined,
  errors: FieldErrors = {},
): Promise<types.ModalView> {
  const group = draft?.approvers === 'group' ? draft.group : undefined;
  const named = group === undefined ? undefined : await nameGroup(client, workspace, group);
  return policyModal(about, draft, { group: named, errors });
}

/** Reads the approvers after the form is acknowledged: that may take longer than Slack waits for an answer. */
export function policySubmission(deps: ListenerDeps): Listener<ViewArgs> {
  const read = async ({ body, view, client, context }: ViewArgs) => {
    const workspace = workspaceOf(context);
    const { about, draft, isWhole } = readPolicyForm(view);
    // Submitted before the form showed what the choice needs.
    if (!isWhole) return { anew: await formWith(client, workspace, about, draft) };
    const { kind, shown } = about;
    const whose = { workspace, by: body.user.id, kind, shown };
    return { input: { whose, about, draft }, errors: policyErrors(policyMistakes(draft)) };
  };
  return slowSubmission(
    { title: POLICY_TITLE, waiting: waitingModal(POLICY_TITLE, 'Checking who can approve…'), read },
    deps,
    async ({ whose, about, draft }, { client, view }) => {
      const changed = await deps.changePolicy(whose, draft);
      switch (changed.type) {
        case 'invalid':
          return withMistakes(client, whose.workspace, about, draft, policyErrors(changed.problems));
        case 'conflict':
          return outcome(POLICY_CONFLICT);
        case 'unchanged':
          return outcome(POLICY_UNCHANGED);
        case 'saved':
          await showSettings(deps, client, whose, {
            opened: viewBeneath(view),
            shown: shownAfter(about, changed.version),
          });
          return outcome(
            ...savedPolicyTexts(whose.kind, changed.policy, changed.isTight),
            ...(await formerTexts(deps, whose, changed.policy)),
          );
      }
    },
  );
}

/** Lists the open requests under a former policy. Never throws: the policy is saved, whatever is not known about them. */
async function formerTexts(
  { keepingFormerPolicy, links, log }: ListenerDeps,
  { workspace, kind }: Pick<ChangingPolicy, 'workspace' | 'kind'>,
  policy: Policy | undefined,
): Promise<string[]> {
  try {
    const former = await keepingFormerPolicy({ workspace, kind, policy });
    return formerPolicyTexts(former, await Promise.all(former.records.map(links.toCard)));
  } catch (err) {
    log.warn({ err, workspace }, 'open requests under a former policy not listed');
    return [FORMER_UNKNOWN];
  }
}

const outcome = (...texts: string[]): SlowResult => ({
  view: textModal(POLICY_TITLE, ...texts),
  text: texts.join(' '),
});

/** The form once more, with the mistakes in it. */
async function withMistakes(
  client: webApi.WebClient,
  workspace: string,
  about: AboutPolicy,
  draft: PolicyDraft,
  errors: FieldErrors,
): Promise<SlowResult> {
  return {
    view: await formWith(client, workspace, about, draft, errors),
    text: `The approval was not changed. ${Object.values(errors).join(' ')}`,
  };
}
