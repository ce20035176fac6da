/** What the settings say about approvals: a line for each kind of request, and a button to change it. Pure. */
import type { types } from '@slack/bolt';
import type { Policy } from '../../../requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { WORDS } from '../../blocks/kind-copy.ts';
import { LIMITS } from '../../blocks/limits.ts';
import { plain, section } from '../../blocks/text.ts';
import { approversText } from '../../messages/sentences/approval-texts.ts';
import { LAPSES } from './policy-modal.ts';

export function policyLines({ policies }: Settings): types.SectionBlock[] {
  return KIND_NAMES.map((kind) => ({
    ...section(`*${WORDS[kind].title}*: ${policyText(policies?.[kind])}`),
    accessory: button(kind),
  }));
}

/** What an admin reads who has saved a policy. @param isTight exactly as many people as must approve can */
export function savedTexts(kind: Kind, policy: Policy | undefined, isTight: boolean): string[] {
  const saved = `Saved. *${WORDS[kind].title}*: ${policyText(policy)}.`;
  if (!policy || !isTight) return [saved];
  const { quorum } = policy;
  const who = quorum === 1 ? 'Only 1 person' : `Only ${quorum} people`;
  return [
    saved,
    `:warning: ${who} can approve, and ${quorum} must. A request that one of them makes cannot be approved, nor can any while one of them is away.`,
  ];
}

function policyText(policy: Policy | undefined): string {
  if (!policy) return 'needs no approval';
  const { quorum, channel, shownIn, emoji, lapseMs } = policy;
  const approvals = quorum === 1 ? '1 approval' : `${quorum} approvals`;
  const where = shownIn === 'approvals_channel' ? `, asked for in <#${channel}>` : '';
  const lapse = LAPSES.get(lapseMs) ?? `${Math.round(lapseMs / 60_000)} minutes`;
  return `needs ${approvals} by ${approversText(policy)}${where} (:${emoji.yes}: or :${emoji.no}:), within ${lapse}`;
}

function button(kind: Kind): types.Button {
  const text = plain('Change', LIMITS.buttonText);
  const accessibility_label = `Change the approval for: ${WORDS[kind].title}`;
  return { type: 'button', action_id: ACTIONS.changePolicy, text, value: kind, accessibility_label };
}
