/**
 * The form in which a request is made: its fields with their labels. Title, button and words of each kind are in its file in
 * requests/model/kinds (`KIND_COPY` only completes them), the limits of what is typed in requests/use-cases/input.ts, and the
 * words about them in blocks/problems.ts.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import type { RequestKind } from '../../../requests/model/kinds/request-kind.ts';
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import { isNearLimit, type Usage } from '../../../requests/model/recent-requests.ts';
import {
  ADDRESS_MAX,
  type Addresses,
  addressOf,
  NO_ADDRESSES,
} from '../../../requests/use-cases/addresses.ts';
import { REASON_MAX, TARGET_MAX } from '../../../requests/use-cases/input.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import { channel, type Field, option, selectOf, sometimes, text } from '../../blocks/fields.ts';
import { asJson, type FieldErrors, type FilledIn, form } from '../../blocks/forms.ts';
import { ACTIONS, requestCallback } from '../../blocks/ids.ts';
import { capital, KIND_COPY, linksText } from '../../blocks/kind-copy.ts';
import { fieldTexts, nearLimitText, noReplyText } from '../../blocks/problems.ts';
import { context, listed, section } from '../../blocks/text.ts';

/** Offered unless an admin has set others; a person can always write their own. */
export const USUAL_REASONS = [
  'The customer changed their mind',
  'Ordered by mistake',
  'Ordered twice',
  'Delivery takes too long',
  'Wrong address',
] as const;

/** The choice of a reason of one's own. Admins set their reasons by text, which is never this. */
const OWN_REASON = 'countermand:own';

/** The separator between the chosen reason and the written one. */
const JOINT = ': ';

/**
 * The message that a request is made from. `thread`: the timestamp of its thread's parent, which may be the message itself.
 * `link`: to the message.
 */
const Origin = z.object({ channel: z.string(), thread: z.string(), link: z.string() });

/** The metadata of the form: where the request comes from, and the warnings that its person has read. */
const About = z.object({
  /** The id of an earlier request for the same, of which the person was warned. */
  acknowledged: z.string().optional(),
  /** An id that seemed misspelt, and its right spelling: submitted once more, it is taken to mean this. */
  typed: z.string().optional(),
  meant: z.string().optional(),
  origin: Origin.optional(),
  /** The ids in that message, if there are several to choose from. */
  ids: z.array(z.string()).optional(),
  /** A link to the message that an earlier request for the same was made from. */
  message: z.string().optional(),
  /** The id that the form was opened with: a link to it stands above everything else. */
  given: z.string().optional(),
  /** The reason why the card can't be posted in the thread of `origin`. */
  noReply: z.enum(['not_theirs', 'missing', 'not_visible', 'not_member', 'shared', 'archived']).optional(),
});
export type AboutRequest = z.infer<typeof About>;

/** A reason that is required has a field above, with the usual ones. */
const REASON_LABEL: Record<RequestKind['reason'], string> = {
  required: 'In your own words',
  not_sent: 'Reason, for people who read the card',
};

/** `isElsewhere`: the conversation that the form is opened in can't be used, so it is not chosen beforehand. */
type Choices = {
  reasons?: readonly string[];
  ids?: readonly string[];
  hasAddresses?: boolean;
  hosts?: readonly string[];
  isElsewhere?: boolean;
};

function requestForm(
  kind: Kind,
  { reasons = USUAL_REASONS, ids = [], hasAddresses = false, hosts = [], isElsewhere = false }: Choices = {},
) {
  const { noun } = KIND_COPY[kind];
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
    ...idFields(noun, ids, hasAddresses),
    reasonChoice: sometimes(choice),
    written: text('reason', {
      label: REASON_LABEL[KINDS[kind].reason],
      optional: true,
      multiline: true,
      // With the chosen one it may still be too long: that is said when the form is submitted.
      max: REASON_MAX,
    }),
    ticket: ticketField(hosts),
    // Shared ones are offered, too: whether they may be used is not known yet when the form opens.
    channel: sometimes(
      channel(ACTIONS.channel, {
        label: 'Channel for updates',
        hint: 'Your request is posted in this channel, and the outcome in its thread.',
        dispatches: true,
        include: ['public', 'private'],
        shared: true,
        current: !isElsewhere,
      }),
    ),
  };
  return form(requestCallback(kind), fields, asJson(About, {}));
}

/** The id, typed or chosen. @param hasAddresses whether an admin has set the address of such an id */
function idFields(noun: string, ids: readonly string[], hasAddresses: boolean) {
  const shared = { label: `${capital(noun)} id`, dispatches: hasAddresses };
  return {
    target: sometimes(
      text(ACTIONS.target, {
        ...shared,
        hint: hasAddresses
          ? `You can paste the address of the ${noun}, too. Press Enter for a link to it.`
          : undefined,
        max: hasAddresses ? ADDRESS_MAX : TARGET_MAX,
        focus: true,
      }),
    ),
    chosen: sometimes(
      selectOf(ACTIONS.targetChoice, {
        ...shared,
        hint: 'The message names several.',
        placeholder: 'Choose one',
        options: ids.map((id) => option(id, id)),
      }),
    ),
  };
}

const ticketField = (hosts: readonly string[]) =>
  sometimes(
    text('ticket', {
      label: 'Link to the ticket',
      hint: `On ${listed(hosts)}. It stands on the card, unless another company reads the channel.`,
      optional: true,
      max: ADDRESS_MAX,
    }),
  );

export type Prefilled = Pick<AboutRequest, 'typed' | 'origin' | 'ids' | 'noReply' | 'message' | 'given'> & {
  target: string;
  reason: string;
  ticket?: string | undefined;
  channel?: string | undefined;
};

/**
 * The reasons to choose from, the sharing of the channel, what this person has requested within the hour, and what admins
 * have set about addresses: all are read once the form is open.
 */
type RequestContext = {
  reasons?: readonly string[] | undefined;
  sharing?: Sharing;
  usage?: Usage | undefined;
  addresses?: Addresses;
};

export function requestModal(kind: Kind, known: Prefilled, details: RequestContext = {}): types.ModalView {
  const { origin, ids = [], noReply, message } = known;
  const { reasons, usage, addresses = NO_ADDRESSES } = details;
  const hasAddresses = addressOf({ kind, target: '1' }, addresses) !== undefined;
  const { ticketHosts: hosts = [] } = addresses;
  const { given = known.target } = known;
  const isRequired = KINDS[kind].reason === 'required';
  const reason = isRequired ? chosenReason(known.reason, reasons) : { chosen: '', written: known.reason };
  const choices = { ids, hasAddresses, hosts, isElsewhere: isElsewhere(known), ...(reasons && { reasons }) };
  const { fields, view } = requestForm(kind, choices);
  const { target, chosen, reasonChoice, written, ticket } = fields;
  // The beginning of an id is another id.
  const isTooLong = known.target.length > (hasAddresses ? ADDRESS_MAX : TARGET_MAX);
  const typed = isTooLong ? '' : known.target;
  const id = ids.length > 1 ? chosen.block(typed) : target.block(typed);
  const { title, submit } = KIND_COPY[kind];
  const blocks = [
    ...(isTooLong ? [section(TOO_LONG)] : []),
    ...withLinks(id, linksTo({ kind, target: typed }, known, addresses), given === typed),
    ...(isRequired ? [reasonChoice.block(reason.chosen)] : []),
    ...withWarningIfCut(written, reason.written),
    ...(hosts.length > 0 ? [ticket.block(known.ticket)] : []),
    ...place(known, fields.channel, details),
    ...(usage && isNearLimit(usage) ? [context(nearLimitText(usage))] : []),
  ];
  return view(
    { title, submit, blocks },
    {
      ...(origin && { origin }),
      ...(ids.length > 1 && { ids }),
      ...(noReply && { noReply }),
      ...(message && { message }),
      ...(hasAddresses && { given }),
    },
  );
}

/** Whether the card has to go to another channel than that of the message. A bot that is only no member can be invited. */
const isElsewhere = ({ noReply }: Prefilled): boolean => noReply !== undefined && noReply !== 'not_member';

/** A reason that was given with a command may be longer than the field. */
const withWarningIfCut = (field: Field<string>, reason: string): types.KnownBlock[] => [
  ...(reason.length > REASON_MAX ? [section(REASON_CUT)] : []),
  field.block(reason),
];

const REASON_CUT = `:warning: Your reason has more than ${REASON_MAX.toLocaleString('en')} characters: the rest of it is left out below.`;

const TOO_LONG = `:warning: What you gave as the id is left out, because it is too long. ${fieldTexts({ target: 'too_long' }).target} Type it below.`;

/** An id that seems misspelt names no order, or another one. */
const linksTo = (
  named: { kind: Kind; target: string },
  { typed }: Prefilled,
  addresses: Addresses,
): string => (named.target === typed ? '' : linksText(named, addresses));

export const LINKS = 'links';

/** The link to an id stands above it if the form was opened with it, and after it if the person has filled it in. */
function withLinks(id: types.InputBlock, links: string, isGiven: boolean): types.KnownBlock[] {
  if (links === '') return [id];
  return isGiven
    ? [{ ...section(links), block_id: LINKS }, id]
    : [id, { ...context(links), block_id: LINKS }];
}

/** Takes a reason apart, as the form joins it. */
function chosenReason(
  reason: string,
  reasons: readonly string[] = USUAL_REASONS,
): { chosen: string; written: string } {
  if (reason === '') return { chosen: '', written: '' };
  const chosen = reasons.find((each) => reason === each || reason.startsWith(`${each}${JOINT}`));
  if (chosen === undefined) return { chosen: OWN_REASON, written: reason };
  return { chosen, written: reason.slice(chosen.length + JOINT.length) };
}

const IN_THREAD = 'Your request and its outcome are posted in the thread of the message.';

/** The place of the card: in the thread of the message, or in a channel of the person's choice. */
function place(
  { origin, noReply, channel: known }: Prefilled,
  field: { block: (shown?: string) => types.InputBlock },
  { sharing = 'none' }: RequestContext,
): types.KnownBlock[] {
  const shared = sharing === 'none' ? [] : [context(SHARING[sharing])];
  if (origin && !noReply) return [context(IN_THREAD), ...shared];
  const why = noReply ? [section(noReplyText(noReply))] : [];
  return [...why, field.block(known), ...shared];
}

const SHARING: Record<Exclude<Sharing, 'none'>, string> = {
  allowed:
    '*This channel is shared with another company,* which can see your request and its outcome, but no reasons.',
  refused:
    '*This channel is shared with another company,* so your request cannot be posted there. Choose one of your own.',
};

/**
 * Reads the form, filled in or while it is filled in. The card goes to the chosen channel or, where none could be chosen, to
 * the thread of the message that the request is made from.
 *
 * @throws if it is not this form: a fault
 */
export function readRequestForm(kind: Kind, view: FilledIn) {
  const { values, about } = requestForm(kind).read(view);
  const { target = '', chosen, written, channel, reasonChoice = '', ticket } = values;
  const reason = [reasonChoice === OWN_REASON ? '' : reasonChoice, written].filter(Boolean).join(JOINT);
  const { origin } = about;
  const isChosen = origin === undefined || asksForChannel(view);
  const where = isChosen
    ? { channel, message: origin?.link ?? about.message }
    : { channel: origin.channel, thread: origin.thread };
  return { request: { target: chosen ?? target, reason, ...(ticket && { ticket }), ...where }, about };
}

const asksForChannel = ({ state }: FilledIn): boolean => has(state.values, ACTIONS.channel);

const has = (values: unknown, block: string): boolean =>
  typeof values === 'object' && values !== null && block in values;

/** Puts texts at the fields of a form that was submitted: the id may be typed or chosen. */
export function requestErrors(
  kind: Kind,
  { state }: FilledIn,
  { target, ...texts }: Partial<ReturnType<typeof fieldTexts>>,
): FieldErrors {
  const { fields, at } = requestForm(kind);
  return at({ [has(state.values, fields.chosen.id) ? 'chosen' : 'target']: target, ...texts });
}
