/**
 * The lines of the settings whose buttons act at once or open forms of their own: sending, the approvals, the texts for
 * customers; and what an admin reads who has used them.
 */
import type { types } from '@slack/bolt';
import type { Policy } from '../../../requests/model/approvals/policy.ts';
import { CUSTOMER_REPLIES } from '../../../requests/model/kinds/request-kind.ts';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import type { KeepingFormer } from '../../../requests/use-cases/approvals/draft-policy.ts';
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS } from '../../blocks/ids.ts';
import { KIND_COPY, plainTitleOf } from '../../blocks/kind-copy.ts';
import { whoPaused } from '../../blocks/problems.ts';
import { ago, escaped, mention, paragraphs, sectionWith, time } from '../../blocks/text.ts';
import { policyText } from '../../messages/sentences/settings-texts.ts';
import { label } from '../../messages/sentences/state-copy.ts';

export function sendingSection({ paused }: Settings): types.SectionBlock {
  const text = paused
    ? `*Sending is paused* (by ${mention(paused.by)}, since ${time(paused.at)}).`
    : '*Sending is on.* Requests are sent to the order service.';
  return sectionWith(text, paused ? RESUME : PAUSE);
}

const PAUSE = button(ACTIONS.pauseSending, 'Pause sending', {
  style: 'danger',
  confirm: {
    title: 'Pause sending?',
    text: 'Nothing more is sent to the order service until an admin resumes it. What is on its way is finished.',
    yes: 'Pause sending',
    no: 'Keep sending',
  },
});

const RESUME = button(ACTIONS.resumeSending, 'Resume sending', {
  confirm: {
    title: 'Resume sending?',
    text: 'Requests that wait are sent to the order service at once.',
    yes: 'Resume sending',
    no: 'Keep it paused',
  },
});

export type PauseOrResume = 'pauseSending' | 'resumeSending';

export function pauseText(
  change: PauseOrResume,
  { pause, isNew }: Pick<PauseResult, 'pause' | 'isNew'>,
): string {
  if (change === 'resumeSending') {
    return pause
      ? 'Sending is resumed. Requests that still wait are sent now.'
      : 'Sending was not paused, so nothing was changed.';
  }
  if (!pause) return 'An admin has resumed sending since you pressed this, so nothing was changed.';
  if (!isNew) return `Sending was paused already: ${whoPaused(pause)}.`;
  return 'Sending is paused. Nothing more is sent to the order service until an admin resumes it. What was on its way is finished.';
}

/** The approvals in force, each with the button that changes it. */
export function policyRows({ policies }: Settings): types.SectionBlock[] {
  return KIND_NAMES.map((kind) => {
    const { title } = KIND_COPY[kind];
    const change = { value: kind, spoken: `Change the approval for: ${title}` };
    return sectionWith(
      `*${title}*: ${policyText(policies?.[kind])}`,
      button(ACTIONS.changePolicy, 'Change', change),
    );
  });
}

export function customerTextsRow(settings: Settings): types.SectionBlock {
  const isUsual = [...CUSTOMER_REPLIES, 'reasonsForCustomers' as const].every((name) => !settings[name]);
  const change = { spoken: 'Change the replies to customers' };
  return sectionWith(
    `*Replies to customers*: ${isUsual ? 'the usual texts' : 'texts of your own'}`,
    button(ACTIONS.customerTexts, 'Change', change),
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

/** Names the open requests that keep the former policy. @param links to their cards, in the same order */
export function formerPolicyTexts(
  { records, others, atLeast }: KeepingFormer,
  links: readonly (string | undefined)[],
): string[] {
  if (records.length === 0) return [];
  const lines = records.map((record, n) => {
    const requested = `requested by ${mention(record.requester)}, ${ago(record.createdAt)}`;
    const thread = links[n] ? `<${links[n]}|Open its thread>` : `in <#${record.channel}>`;
    return `• ${escaped(plainTitleOf(record))} · ${label(record)} · ${requested} · ${thread}`;
  });
  const rest = others > 0 ? [`• and ${atLeast ? 'at least ' : ''}${others} more`] : [];
  return ['These open requests keep the former rule:', ...paragraphs([...lines, ...rest])];
}

export const FORMER_UNKNOWN =
  'Open requests keep the former rule. I could not list them now: see /countermand history.';
