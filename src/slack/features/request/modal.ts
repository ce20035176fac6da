/** The modal in which something is asked for. Pure. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import { REASON_MAX, TARGET_MAX } from '../../../requests/use-cases/rules.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import { ACTIONS, askCallback, BLOCKS } from '../../blocks/ids.ts';
import { WORDS } from '../../blocks/kind-copy.ts';
import { LIMITS } from '../../blocks/limits.ts';
import { context, plain } from '../../blocks/text.ts';

/** Offered for choice where an admin has set no others; anything else is written. */
export const USUAL_REASONS: readonly string[] = [
  'The customer changed their mind',
  'Ordered by mistake',
  'Ordered twice',
  'Delivery takes too long',
  'Wrong address',
];

/** What separates the chosen reason from the written one. */
const JOINT = ': ';
/** So that both reasons together stay within what a reason may have. */
const WRITTEN_MAX = REASON_MAX - LIMITS.optionText - JOINT.length;

export type Prefilled = { target: string; reason: string };

/** What is known once the form is open. `sharing`: of the channel that is chosen in it. */
export type AskContext = { reasons?: readonly string[] | undefined; sharing?: Sharing };

export function askModal(
  kind: Kind,
  known: Prefilled,
  { reasons = USUAL_REASONS, sharing = 'none' }: AskContext = {},
): types.ModalView {
  return {
    type: 'modal',
    callback_id: askCallback(kind),
    title: plain(WORDS[kind].title, LIMITS.modalTitle),
    submit: plain('Ask', LIMITS.modalButton),
    // Not "Cancel", which stands for something else here.
    close: plain('Not now', LIMITS.modalButton),
    blocks: [
      target(kind, known.target),
      ...(KINDS[kind].needsReason ? [reasonChoice(reasons)] : []),
      reason(kind, known.reason),
      channel(),
      ...(sharing === 'none' ? [] : [context(SHARING[sharing])]),
    ],
  };
}

function target(kind: Kind, known: string): types.InputBlock {
  const { noun } = WORDS[kind];
  return {
    type: 'input',
    block_id: BLOCKS.target,
    label: plain(`Id of the ${noun}`),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.target,
      max_length: TARGET_MAX,
      focus_on_load: known === '',
      ...initialValue(known.slice(0, TARGET_MAX)),
    },
  };
}

function reasonChoice(reasons: readonly string[]): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reasonChoice,
    optional: true,
    label: plain('Reason'),
    element: {
      type: 'static_select',
      action_id: BLOCKS.reasonChoice,
      placeholder: plain('Choose one, or write your own below'),
      options: reasons.map((text) => ({ text: plain(text, LIMITS.optionText), value: text })),
    },
  };
}

/** The order service wants a reason for a cancelled order alone; elsewhere it is for those who read the card. */
function reason(kind: Kind, known: string): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reason,
    optional: true,
    label: plain(
      KINDS[kind].needsReason ? 'Reason in your own words' : 'Reason, for those who read the card',
    ),
    ...(KINDS[kind].needsReason && {
      hint: plain('One of the two is needed: chosen, or in your own words.'),
    }),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.reason,
      multiline: true,
      max_length: WRITTEN_MAX,
      ...initialValue(known.slice(0, WRITTEN_MAX)),
    },
  };
}

/** Before anybody submits. */
const SHARING: Record<Exclude<Sharing, 'none'>, string> = {
  allowed:
    '*This channel is shared with another company.* Its people will see your request and its outcome, and no reasons.',
  refused:
    '*This channel is shared with another company,* so no request can be posted there. Choose one of your own.',
};

/** Shared ones are offered, too: whether they may be used is not known yet when the form opens. */
function channel(): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.channel,
    dispatch_action: true,
    label: plain('Channel for updates'),
    hint: plain('Your request is posted there, and its outcome comes into its thread.'),
    element: {
      type: 'conversations_select',
      action_id: ACTIONS.channel,
      default_to_current_conversation: true,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
    },
  };
}

function initialValue(text: string): { initial_value?: string } {
  return text === '' ? {} : { initial_value: text };
}

const Text = z.object({ value: z.string().nullish() });

const State = z.object({
  [BLOCKS.target]: z.object({ [BLOCKS.target]: Text }),
  /** Only where the service wants a reason. */
  [BLOCKS.reasonChoice]: z
    .object({
      [BLOCKS.reasonChoice]: z.object({ selected_option: z.object({ value: z.string() }).nullish() }),
    })
    .optional(),
  [BLOCKS.reason]: z.object({ [BLOCKS.reason]: Text }),
  [BLOCKS.channel]: z.object({
    [ACTIONS.channel]: z.object({ selected_conversation: z.string().nullish() }),
  }),
});

/** What was typed so far, so that the form can be drawn anew. @throws where the state is not that of this modal: a fault */
export function typedInAskModal(values: unknown): Prefilled & { channel: string | undefined } {
  const { target: id, reason: why, channel: where } = State.parse(values);
  return {
    target: id.target.value ?? '',
    reason: why.reason.value ?? '',
    channel: where.channel.selected_conversation ?? undefined,
  };
}

/** What was filled in, trimmed. @throws where the state is not that of this modal: a fault */
export function readAskModal(values: unknown): {
  target: string;
  reason: string;
  channel: string | undefined;
} {
  const state = State.parse(values);
  const chosen = state.reason_choice?.reason_choice.selected_option?.value ?? '';
  const written = state.reason.reason.value?.trim() ?? '';
  return {
    target: state.target.target.value?.trim() ?? '',
    reason: [chosen, written].filter(Boolean).join(JOINT),
    channel: state.channel.channel.selected_conversation ?? undefined,
  };
}
