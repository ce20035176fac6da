/** The approvals in the settings: a line for each kind of request, and a button to change it. */
import type { types } from '@slack/bolt';
import type { Policy } from '../../../requests/model/approvals/policy.ts';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import type { KeepingFormer } from '../../../requests/use-cases/approvals/draft-policy.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { deedOf, KIND_COPY } from '../../blocks/kind-copy.ts';
import { ago, escaped, mention, sectionWith } from '../../blocks/text.ts';
import { policyText } from '../../messages/sentences/settings-texts.ts';
import { label } from '../../messages/sentences/state-copy.ts';

/** The approvals in force, each with the button that changes it. */
export function policyRows({ policies }: Settings): types.SectionBlock[] {
  return KIND_NAMES.map((kind) =>
    sectionWith(`*${KIND_COPY[kind].title}*: ${policyText(policies?.[kind])}`, change(kind)),
  );
}

/** The answer to an admin who has saved a policy. @param isTight whether exactly as many people can approve as must */
export function savedTexts(kind: Kind, policy: Policy | undefined, isTight: boolean): string[] {
  const saved = `Saved. *${KIND_COPY[kind].title}*: ${policyText(policy)}.`;
  if (!policy || !isTight) return [saved];
  const { quorum } = policy;
  const who = quorum === 1 ? 'Only 1 person' : `Only ${quorum} people`;
  return [
    saved,
    `:warning: ${who} can approve, and ${quorum} must. ${quorum === 1 ? 'A request that they make cannot be approved, and neither can any while they are away.' : 'A request that one of them makes cannot be approved, and neither can any while one of them is away.'}`,
  ];
}

/**
 * Names the open requests that keep the former policy.
 *
 * @param links to their cards, in the same order
 */
export function formerPolicyTexts(
  { records, others, atLeast }: KeepingFormer,
  links: readonly (string | undefined)[],
): string[] {
  if (records.length === 0) return [];
  const lines = records.map((record, n) => {
    const requested = `requested by ${mention(record.requester)}, ${ago(record.createdAt)}`;
    const thread = links[n] ? `<${links[n]}|Open its thread>` : `in <#${record.channel}>`;
    return `• ${escaped(deedOf(record))} · ${label(record)} · ${requested} · ${thread}`;
  });
  const rest = others > 0 ? [`• and ${atLeast ? 'at least ' : ''}${others} more`] : [];
  return ['These open requests keep the former rule:', ...inParagraphs([...lines, ...rest])];
}

export const FORMER_UNKNOWN =
  'Open requests keep the former rule. I could not list them now: see /countermand history.';

/** With ids of nothing but characters that are escaped, a line has up to a thousand characters. */
const LINES_IN_PARAGRAPH = 3;

/** Joins a few lines each, so that none is cut off at the limit of a text. */
const inParagraphs = (lines: readonly string[]): string[] =>
  lines.flatMap((_line, n) =>
    n % LINES_IN_PARAGRAPH === 0 ? [lines.slice(n, n + LINES_IN_PARAGRAPH).join('\n')] : [],
  );

const change = (kind: Kind): types.Button =>
  button(ACTIONS.changePolicy, 'Change', {
    value: kind,
    spoken: `Change the approval for: ${KIND_COPY[kind].title}`,
  });
