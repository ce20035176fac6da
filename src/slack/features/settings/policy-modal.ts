/** The form in which an admin decides whose approval a kind of request needs. */

import type { types } from '@slack/bolt';
import { DEFAULT_EMOJI, PEOPLE_MAX } from '../../../requests/model/approvals/policy.ts';
import type { PolicyDraft } from '../../../requests/use-cases/approvals/draft-policy.ts';
import { ACTIONS, BLOCKS, CALLBACKS } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { CLOSE } from '../../blocks/modals.ts';
import { LIMITS, plain, section } from '../../blocks/text.ts';
import type { UserGroup } from '../../directory/user-groups.ts';
import { emojiOption } from './emoji-options.ts';
import { groupOption } from './inputs.ts';
import { APPROVERS, EXPIRES, POLICY_OPTIONS, QUORUMS, SHOWN_IN, USUAL_EXPIRY } from './policy-choices.ts';
import type { PolicyFormOf } from './policy-form.ts';

export const POLICY_TITLE = 'Approval';

/**
 * @param draft what is filled in; undefined: what is usual
 * @param group that is chosen, by name
 * @param errors what was found out after the form was sent, each under the input with this block id. Slack shows errors of
 *   its own only in the answer to a submission (https://docs.slack.dev/surfaces/modals#displaying_errors), which can't wait
 */
export function policyModal(
  of: PolicyFormOf,
  draft: PolicyDraft | undefined,
  { group, errors = {} }: { group?: UserGroup | undefined; errors?: Readonly<Record<string, string>> } = {},
): types.ModalView {
  const view = form(of, draft, group);
  const blocks = view.blocks.flatMap((block) => {
    const error = errors[block.block_id ?? ''];
    return error ? [block, section(`:warning: ${error}`)] : [block];
  });
  return { ...view, blocks };
}

function form(
  { kind, shown, beneath }: PolicyFormOf,
  draft: PolicyDraft | undefined,
  group: UserGroup | undefined,
): types.ModalView {
  const { approvers, emoji = DEFAULT_EMOJI, people = [] } = draft ?? {};
  return {
    type: 'modal',
    callback_id: CALLBACKS.policy,
    private_metadata: JSON.stringify({ kind, shown, beneath } satisfies PolicyFormOf),
    title: plain(POLICY_TITLE, LIMITS.modalTitle),
    submit: plain('Save', LIMITS.modalButton),
    close: CLOSE,
    blocks: [
      section(
        `*${KIND_COPY[kind].title}*: a request can need approval before it is sent to the order service. Nobody can approve their own request.`,
      ),
      choice(BLOCKS.approvers, 'Who approves', APPROVERS, approvers ?? 'nobody'),
      groupInput(group),
      peopleInput(people),
      channelInput(draft?.channel),
      choice(BLOCKS.shownIn, 'Where approvers see requests', SHOWN_IN, draft?.shownIn ?? 'where_requested'),
      choice(
        BLOCKS.quorum,
        'How many must approve',
        QUORUMS,
        `${draft?.quorum ?? 1}`,
        'A single decline stops a request.',
      ),
      emojiInput(BLOCKS.emojiYes, 'Emoji that approves', emoji.yes),
      emojiInput(BLOCKS.emojiNo, 'Emoji that declines', emoji.no),
      choice(
        BLOCKS.expire,
        'Requests expire after',
        Object.fromEntries(EXPIRES),
        `${draft?.expiresAfterMs ?? USUAL_EXPIRY}`,
      ),
      optionsInput(draft),
    ],
  };
}

const option = (value: string, text: string): types.PlainTextOption => ({
  value,
  text: plain(text, LIMITS.optionText),
});

/** A select of one of a few, `options` as value -> text; one is always chosen. */
function choice(
  block: string,
  label: string,
  options: Record<string, string>,
  chosen: string,
  hint?: string,
): types.InputBlock {
  const all = Object.entries(options).map(([value, text]) => option(value, text));
  const initial = all.find(({ value }) => value === chosen) ?? all[0];
  return {
    type: 'input',
    block_id: block,
    label: plain(label),
    ...(hint ? { hint: plain(hint) } : {}),
    element: {
      type: 'static_select',
      action_id: block,
      options: all,
      ...(initial ? { initial_option: initial } : {}),
    },
  };
}

function groupInput(group: UserGroup | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.approverGroup,
    optional: true,
    label: plain('User group'),
    element: {
      type: 'external_select',
      action_id: ACTIONS.approverGroup,
      min_query_length: 0,
      ...(group ? { initial_option: groupOption(group) } : {}),
    },
  };
}

function peopleInput(people: readonly string[]): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.approverPeople,
    optional: true,
    label: plain('People'),
    element: {
      type: 'multi_users_select',
      max_selected_items: PEOPLE_MAX,
      action_id: BLOCKS.approverPeople,
      ...(people.length > 0 ? { initial_users: [...people] } : {}),
    },
  };
}

function channelInput(channel: string | undefined): types.InputBlock {
  return {
    type: 'input',
    block_id: BLOCKS.approvalsChannel,
    optional: true,
    label: plain('Approvals channel'),
    hint: plain(
      'The channel must be private and not shared, and I must be a member: type /invite @Countermand there first.',
    ),
    element: {
      type: 'conversations_select',
      action_id: BLOCKS.approvalsChannel,
      filter: { include: ['private'], exclude_external_shared_channels: true, exclude_bot_users: true },
      ...(channel ? { initial_conversation: channel } : {}),
    },
  };
}

/** Slack has no picker of emoji for forms: the bot offers some, and whatever name is typed. */
function emojiInput(
  block: typeof BLOCKS.emojiYes | typeof BLOCKS.emojiNo,
  label: string,
  name: string,
): types.InputBlock {
  return {
    type: 'input',
    block_id: block,
    label: plain(label),
    element: {
      type: 'external_select',
      action_id: block,
      min_query_length: 0,
      initial_option: emojiOption(name),
    },
  };
}

function optionsInput(draft: PolicyDraft | undefined): types.InputBlock {
  const options = Object.entries(POLICY_OPTIONS).map(([value, text]) => option(value, text));
  const isOn = { reminds: draft?.reminds ?? true, may_withdraw: draft?.mayWithdraw ?? true };
  const initial = options.filter(({ value }) => value && isOn[value as keyof typeof isOn]);
  return {
    type: 'input',
    block_id: BLOCKS.policyOptions,
    optional: true,
    label: plain('Options'),
    element: {
      type: 'checkboxes',
      action_id: BLOCKS.policyOptions,
      options,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
  };
}
