/** The form in which a request is made. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import { isNearLimit, type Usage } from '../../../requests/model/recent-requests.ts';
import { REASON_MAX, TARGET_MAX } from '../../../requests/use-cases/rules.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import { channel, option, selectOf, sometimes, text } from '../../blocks/fields.ts';
import { asJson, type FilledIn, form } from '../../blocks/forms.ts';
import { ACTIONS, requestCallback } from '../../blocks/ids.ts';
import { capital, KIND_COPY } from '../../blocks/kind-copy.ts';
import { nearLimitText } from '../../blocks/problems.ts';
import { context, LIMITS } from '../../blocks/text.ts';

/** Offered unless an admin has set others; a person can always write their own. */
export const USUAL_REASONS: readonly string[] = [
  'The customer changed their mind',
  'Ordered by mistake',
  'Ordered twice',
  'Delivery takes too long',
  'Wrong address',
];

/** The choice of a reason of one's own. Admins set their reasons by text, which is never this. */
const OWN_REASON = 'countermand:own';

/** The separator between the chosen reason and the written one. */
const JOINT = ': ';
/** So that both reasons together stay within what a reason may have. */
const WRITTEN_MAX = REASON_MAX - LIMITS.optionText - JOINT.length;

/**
 * The warnings that the form has shown, and that its person has read. `acknowledged`: the id of an earlier request for the
 * same. `typed`, `meant`: an id, and its right spelling.
 */
const ShownWarnings = z.object({
  acknowledged: z.string().optional(),
  typed: z.string().optional(),
  meant: z.string().optional(),
});
export type ShownWarnings = z.infer<typeof ShownWarnings>;

/** @param reasons to choose from */
export function requestForm(kind: Kind, reasons: readonly string[] = USUAL_REASONS) {
  const { needsReason } = KINDS[kind];
  const choice = selectOf('reason_choice', {
    label: 'Reason',
    hint: 'The order service needs a reason.',
    placeholder: 'Choose one',
    options: [
      ...reasons.map((reason) => option(reason, reason)),
      option(OWN_REASON, 'Another reason (write it below)'),
    ],
  });
  const fields = {
    target: text('target', {
      label: `${capital(KIND_COPY[kind].noun)} id`,
      max: TARGET_MAX,
      focus: true,
    }),
    reasonChoice: sometimes(choice),
    // Only the cancellation of an order sends its reason to the order service; other reasons are for readers of the card.
    written: text('reason', {
      label: needsReason ? 'In your own words' : 'Reason, for people who read the card',
      optional: true,
      multiline: true,
      max: WRITTEN_MAX,
    }),
    // Shared ones are offered, too: whether they may be used is not known yet when the form opens.
    channel: channel(ACTIONS.channel, {
      label: 'Channel for updates',
      hint: 'Your request is posted in this channel, and the outcome in its thread.',
      dispatches: true,
      include: ['public', 'private'],
      shared: true,
      current: true,
    }),
  };
  return form(requestCallback(kind), fields, asJson(ShownWarnings, {}));
}

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
  { reasons, sharing = 'none', usage }: RequestContext = {},
): types.ModalView {
  const { fields, view } = requestForm(kind, reasons);
  const { target, reasonChoice, written, channel } = fields;
  const { title, submit } = KIND_COPY[kind];
  const blocks = [
    target.block(known.target),
    ...(KINDS[kind].needsReason ? [reasonChoice.block(known.reason === '' ? '' : OWN_REASON)] : []),
    written.block(known.reason),
    channel.block(),
    ...(sharing === 'none' ? [] : [context(SHARING[sharing])]),
    ...(usage && isNearLimit(usage) ? [context(nearLimitText(usage))] : []),
  ];
  return view({ title, submit, blocks }, {});
}

/** Before anybody submits. */
const SHARING: Record<Exclude<Sharing, 'none'>, string> = {
  allowed:
    '*This channel is shared with another company,* which can see your request and its outcome, but no reasons.',
  refused:
    '*This channel is shared with another company,* so your request cannot be posted there. Choose one of your own.',
};

/** Reads the form, filled in or while it is filled in. @throws if it is not this form: a fault */
export function readRequestForm(kind: Kind, view: FilledIn) {
  const { values, about } = requestForm(kind).read(view);
  const { target, written, channel, reasonChoice: chosen = '' } = values;
  const reason = [chosen === OWN_REASON ? '' : chosen, written].filter(Boolean).join(JOINT);
  return { target, written, reason, channel, shown: about };
}
