/** The button "Change" beside an approval in the settings, and its form, which opens on top of them. */
import type { types, webApi } from '@slack/bolt';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { Policy } from '../../../requests/model/policy.ts';
import {
  type KeepingFormer,
  type PolicyDraft,
  policyMistakes,
} from '../../../requests/use-cases/approvals/draft-policy.ts';
import type { ChangingPolicy } from '../../../workspaces/settings.ts';
import { policySetting } from '../../../workspaces/settings-record.ts';
import { type FieldErrors, textModal } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { ago, escaped, mention, paragraphs, section } from '../../blocks/text.ts';
import { nameGroup } from '../../directory/read-people.ts';
import { adminModalAction, type SlowResult, slowSubmission } from '../../listeners/admin-only.ts';
import { failureSentence } from '../../listeners/answers.ts';
import {
  type ActionArgs,
  buttonValue,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../../listeners/listener.ts';
import { viewBeneath } from '../../listeners/marks.ts';
import { redrawAfter } from '../../listeners/modals.ts';
import { KIND_COPY, plainTitleOf } from '../../messages/sentences/request-words.ts';
import { label } from '../../messages/sentences/sentences.ts';
import { isTakeover, policyText } from '../../messages/sentences/settings-texts.ts';
import {
  type AboutPolicy,
  draftOf,
  POLICY_TITLE,
  policyErrors,
  policyModal,
  readPolicyForm,
} from './policy-form.ts';
import { SETTINGS_FRAME, showSettings } from './settings.ts';
import { beneath } from './settings-form.ts';

export const changePolicyAction = (deps: ListenerDeps): Listener<ActionArgs> =>
  adminModalAction(
    deps,
    { ...SETTINGS_FRAME, title: POLICY_TITLE },
    async ({ workspace, client }, { action, body }) => {
      const kind = KIND_NAMES.find((name) => name === buttonValue(action));
      if (!kind) throw new Error('Slack named no kind of request.');
      const { settings, version: shown } = await deps.settingsInForce(workspace);
      const policy = settings.policies?.[kind];
      return formWith(client, workspace, { kind, shown, ...beneath(body) }, policy && draftOf(policy));
    },
  );

/** Draws the form anew after a choice on which other fields depend: with these fields, and with all that was filled in. */
export function policyChoiceActions({ redraw }: ListenerDeps): Record<string, Listener<ActionArgs>> {
  const action = redrawAfter(redraw, (view, { client, context }) => {
    const { about, draft } = readPolicyForm(view);
    return formWith(client, workspaceOf(context), about, draft);
  });
  return { [ACTIONS.approvers]: action, [ACTIONS.shownIn]: action };
}

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
    { title: POLICY_TITLE, meanwhile: 'Checking who can approve…', read },
    deps,
    async ({ whose, about, draft }, { client, view }) => {
      const changed = await deps.changePolicy(whose, draft).catch((error: unknown) => ({
        type: 'failed' as const,
        text: failureSentence(deps.log, error, { modal: POLICY_TITLE }),
      }));
      switch (changed.type) {
        case 'failed': {
          const kept = await formWith(client, whose.workspace, about, draft);
          return { view: { ...kept, blocks: [section(changed.text), ...kept.blocks] }, text: changed.text };
        }
        case 'invalid': {
          const errors = policyErrors(changed.problems);
          const anew = await formWith(client, whose.workspace, about, draft, errors);
          return { view: anew, text: `The approval was not changed. ${Object.values(errors).join(' ')}` };
        }
        case 'conflict':
          return outcome(POLICY_CONFLICT);
        case 'unchanged':
          return outcome(POLICY_UNCHANGED);
        case 'saved':
          await showSettings(deps, client, whose, {
            opened: viewBeneath(view, about.hash),
            ...about,
            saved: changed.version,
          });
          if (isTakeover(changed.changed[policySetting(whose.kind)])) return outcome(POLICY_TAKEN_OVER);
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

export const POLICY_CONFLICT =
  'The settings have changed since you opened this approval, so nothing was saved. Close all windows and open the settings again.';

export const POLICY_UNCHANGED = 'Nothing was changed: this approval was already set like this.';

export const POLICY_TAKEN_OVER =
  'This approval was already set like this. From now on I tell you, in place of the admin who set it before, if nobody can approve new requests.';

/** Tells an admin that a policy is saved. @param isTight whether exactly as many people can approve as must */
export function savedPolicyTexts(kind: Kind, policy: Policy | undefined, isTight: boolean): string[] {
  const saved = `Saved. *${KIND_COPY[kind].title}*: ${policyText(policy)}.`;
  if (!policy || !isTight) return [saved];
  const { quorum } = policy;
  const who = quorum === 1 ? 'Only 1 person' : `Only ${quorum} people`;
  return [
    saved,
    `:warning: ${who} can approve, and ${quorum} must. ${quorum === 1 ? 'A request that they make cannot be approved, and neither can any while they are away.' : 'A request that one of them makes cannot be approved, and neither can any while one of them is away.'}`,
  ];
}

/** Names the open requests that keep the former policy. @param links to their cards, in the same order */
export function formerPolicyTexts(
  { records, others, atLeast }: KeepingFormer,
  links: readonly (string | undefined)[],
): string[] {
  if (records.length === 0) return atLeast ? [FORMER_UNKNOWN] : [];
  const lines = records.map((record, n) => {
    const requested = `requested by ${mention(record.requester)}, ${ago(record.createdAt)}`;
    const thread = links[n] ? `<${links[n]}|Open its thread>` : `in <#${record.channel}>`;
    return `• ${escaped(plainTitleOf(record))} · ${label(record)} · ${requested} · ${thread}`;
  });
  const rest = others > 0 || atLeast ? [`• and ${furtherText(others, atLeast)}`] : [];
  return ['These open requests keep the former rule:', ...paragraphs([...lines, ...rest])];
}

function furtherText(others: number, atLeast: boolean): string {
  if (others === 0) return 'perhaps more: see /countermand history';
  return `${atLeast ? 'at least ' : ''}${others} more`;
}

export const FORMER_UNKNOWN =
  'Open requests keep the former rule. I could not list them now: see /countermand history.';
