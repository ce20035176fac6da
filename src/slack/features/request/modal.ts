/** The modal in which a request is made. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import { isNearLimit, type Usage } from '../../../requests/model/recent-requests.ts';
import { REASON_MAX, TARGET_MAX } from '../../../requests/use-cases/rules.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import { ACTIONS, BLOCKS, requestCallback } from '../../blocks/ids.ts';
import { capital, KIND_COPY } from '../../blocks/kind-copy.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { nearLimitText } from '../../blocks/problems.ts';
import { context, LIMITS, plain } from '../../blocks/text.ts';

/** Offered unless an admin has set others; a person can always write their own. */
export const USUAL_REASONS: readonly string[] = [
  'The customer changed their mind',
  'Ordered by mistake',
  'Ordered twice',
  'Delivery takes too long',
  'Wrong address',
];

/** The choice of a reason of one's own. Admins set their reasons by text, which is never this. */
const OWN_REASON: types.PlainTextOption = {
  value: 'countermand:own',
  text: plain('Another reason (write it below)', LIMITS.optionText),
};

/** The separator between the chosen reason and the written one. */
const JOINT = ': ';
/** So that both reasons together stay within what a reason may have. */
const WRITTEN_MAX = REASON_MAX - LIMITS.optionText - JOINT.length;

export type Prefilled = { target: string; reason: string };

/**
 * The reasons to choose from, the sharing of the chosen channel, and what this person has requested within the hour: all are
 * read once the form is open.
 */
export type RequestContext = {
  reasons?: readonly string[] | undefined;
  sharing?: Sharing;
  usage?: Usage | undefined;
};

export function requestModal(
  kind: Kind,
  known: Prefilled,
  { reasons = USUAL_REASONS, sharing = 'none', usage }: RequestContext = {},
): types.ModalView {
  return {
    type: 'modal',
    callback_id: requestCallback(kind),
    title: plain(KIND_COPY[kind].title, LIMITS.modalTitle),
    submit: plain(KIND_COPY[kind].submit, LIMITS.modalButton),
    close: CLOSE,
    blocks: [
      target(kind, known.target),
      ...(KINDS[kind].needsReason ? [reasonChoice(reasons, known.reason)] : []),
      reason(kind, known.reason),
      channel(),
      ...(sharing === 'none' ? [] : [context(SHARING[sharing])]),
      ...(usage && isNearLimit(usage) ? [context(nearLimitText(usage))] : []),
    ],
  };
}

function target(kind: Kind, known: string): types.InputBlock {
  const { noun } = KIND_COPY[kind];
  return {
    type: 'input',
    block_id: BLOCKS.target,
    label: plain(`${capital(noun)} id`),
    element: {
      type: 'plain_text_input',
      action_id: BLOCKS.target,
      max_length: TARGET_MAX,
      focus_on_load: known === '',
      ...initialValue(known.slice(0, TARGET_MAX)),
    },
  };
}

/** @param written what was typed behind the command */
function reasonChoice(reasons: readonly string[], written: string): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reasonChoice,
    label: plain('Reason'),
    hint: plain('The order service needs a reason.'),
    element: {
      type: 'static_select',
      action_id: BLOCKS.reasonChoice,
      placeholder: plain('Choose one'),
      options: [
        ...reasons.map((text) => ({ text: plain(text, LIMITS.optionText), value: text })),
        OWN_REASON,
      ],
      ...(written === '' ? {} : { initial_option: OWN_REASON }),
    },
  };
}

/** Only the cancellation of an order sends its reason to the order service; other reasons are for readers of the card. */
function reason(kind: Kind, known: string): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.reason,
    optional: true,
    label: plain(KINDS[kind].needsReason ? 'In your own words' : 'Reason, for people who read the card'),
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
    '*This channel is shared with another company,* which can see your request and its outcome, but no reasons.',
  refused:
    '*This channel is shared with another company,* so your request cannot be posted there. Choose one of your own.',
};

/** Shared ones are offered, too: whether they may be used is not known yet when the form opens. */
function channel(): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.channel,
    dispatch_action: true,
    label: plain('Channel for updates'),
    hint: plain('Your request is posted in this channel, and the outcome in its thread.'),
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

/** Reads the input so far, to draw the form anew. @throws if the state is not that of this modal: a fault */
export function typedInRequestModal(values: unknown): Prefilled & { channel: string | undefined } {
  const { target: id, reason: why, channel: where } = State.parse(values);
  return {
    target: id.target.value ?? '',
    reason: why.reason.value ?? '',
    channel: where.channel.selected_conversation ?? undefined,
  };
}

/** Reads the input, trimmed. @throws if the state is not that of this modal: a fault */
export function readRequestModal(values: unknown): {
  target: string;
  reason: string;
  channel: string | undefined;
} {
  const state = State.parse(values);
  const chosen = state.reason_choice?.reason_choice.selected_option?.value ?? '';
  const written = state.reason.reason.value?.trim() ?? '';
  return {
    target: state.target.target.value?.trim() ?? '',
    reason: [chosen === OWN_REASON.value ? '' : chosen, written].filter(Boolean).join(JOINT),
    channel: state.channel.channel.selected_conversation ?? undefined,
  };
}
