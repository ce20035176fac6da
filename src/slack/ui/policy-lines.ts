/** What the settings say about approvals: a line for each kind of request, and a button to change it. Pure. */
import type { types } from '@slack/bolt';
import type { Policy } from '../../requests/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../../requests/kinds.ts';
import type { Settings } from '../../requests/ports.ts';
import { ACTIONS } from '../ids.ts';
import { approversText } from './approval-texts.ts';
import { LIMITS } from './limits.ts';
import { LAPSES } from './policy-modal.ts';
import { plain, section } from './text.ts';
import { WORDS } from './words.ts';

export function policyLines({ policies }: Settings): types.SectionBlock[] {
  return KIND_NAMES.map((kind) => ({
    ...section(`*${WORDS[kind].title}*: ${policyText(policies?.[kind])}`),
    accessory: button(kind),
  }));
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
