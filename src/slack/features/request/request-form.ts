/**
 * Declares the form in which a request is made: its fields with their labels and hints, how it is read, and where its mistakes
 * are shown. Title, button and words of each kind are in requests/model/kinds.ts (`KIND_COPY` only completes them), what is said
 * around the fields in messages/sentences/form-texts.ts, and while the form opens in index.ts. The answers to a submission are in
 * submission.ts and messages/sentences/result-texts.ts.
 */
import { z } from 'zod';
import { KINDS, type Kind, type RequestKind } from '../../../requests/model/kinds.ts';
import { ADDRESS_MAX } from '../../../requests/use-cases/addresses.ts';
import { REASON_MAX, TARGET_MAX } from '../../../requests/use-cases/input.ts';
import { channel, option, selectOf, sometimes, text } from '../../blocks/fields.ts';
import { asJson, type FieldErrors, type FilledIn, form } from '../../blocks/forms.ts';
import { ACTIONS, requestCallback } from '../../blocks/ids.ts';
import { either, LIMITS } from '../../blocks/text.ts';
import { isMessageLink } from '../../client/links.ts';
import { isShown } from '../../listeners/listener.ts';
import type { fieldTexts } from '../../messages/sentences/form-texts.ts';
import { capital, KIND_COPY } from '../../messages/sentences/request-words.ts';

/** The reasons that the form offers unless an admin has set others; a person can always write their own. */
export const USUAL_REASONS = [
  'The customer changed their mind',
  'Ordered by mistake',
  'Ordered twice',
  'Delivery takes too long',
  'Wrong address',
] as const;

/**
 * The value of the choice of a reason in the person's own words. It is longer than admins can make a reason, so no reason equals
 * it.
 */
export const OWN_REASON = `countermand:own${':'.repeat(LIMITS.optionText)}`;

/**
 * The value of the choice "Another id": the right one may not be among the words of the message that look like an id. The form
 * then has a field for it. No id equals this value, because an id has no slash.
 */
const OTHER_ID = 'countermand/other';

/** Separates the chosen reason from the person's own words. The reason of a request is the one, the other, or both. */
const SEPARATOR = ': ';

/** A link to a message, which people follow from the card: any other text counts as absent. */
const MessageLink = z.string().refine(isMessageLink).optional().catch(undefined);

/**
 * The message that a request is made from. `thread`: the timestamp of its thread's parent, which may be the message itself.
 * `link`: to the message.
 */
const Origin = z.object({
  channel: z.string(),
  thread: z.string().regex(/^\d{1,20}\.\d{1,20}$/),
  link: MessageLink,
});

/** The metadata of the form: where the request comes from, and the warnings that the person has read. */
const About = z.object({
  /** The warning of an earlier request for the same order or offer that the form showed (same-target.ts). */
  acknowledged: z.string().optional(),
  /** The id that the form had when it showed its warning. */
  warned: z.string().optional(),
  origin: Origin.optional().catch(undefined),
  /** The ids in the message of `origin`, if there are several to choose from. */
  ids: z.array(z.string()).optional(),
  /** A link to the message that an earlier request for the same order or offer was made from. */
  message: MessageLink,
  /** The reason why the card can't be posted in the thread of `origin`. */
  noReply: z.enum(['not_theirs', 'missing', 'not_visible', 'not_member', 'shared', 'archived']).optional(),
});
export type AboutRequest = z.infer<typeof About>;

/** The label of the text field. Where a reason is required, the reasons to choose from stand above it. */
const REASON_LABEL: Record<RequestKind['reason'], string> = {
  required: 'In your own words',
  not_sent: 'Reason, for people who read the card',
};

/**
 * `reasons`, `ids`: to choose from. `hasAddresses`: whether an admin has set the address of an order or offer. `hosts`: the
 * hosts of ticket links. `isElsewhere`: whether the conversation in which the form is opened must not be chosen beforehand.
 */
type Choices = {
  reasons?: readonly string[] | undefined;
  ids?: readonly string[] | undefined;
  hasAddresses?: boolean;
  hosts?: readonly string[];
  isElsewhere?: boolean;
};

/** Declares the form. `choices` change only how its fields look: they are left out to read it. */
export function requestForm(
  kind: Kind,
  { reasons = USUAL_REASONS, ids = [], hasAddresses = false, hosts = [], isElsewhere = false }: Choices = {},
) {
  const fields = {
    ...idFields(KIND_COPY[kind].noun, ids, hasAddresses),
    reasonChoice: sometimes(
      selectOf('reason_choice', {
        label: 'Reason',
        hint: 'The order service needs a reason.',
        placeholder: 'Choose one',
        options: [
          ...reasons.map((reason) => option(reason, reason)),
          option(OWN_REASON, 'Another reason (write it below)'),
        ],
      }),
    ),
    written: text('reason', {
      label: REASON_LABEL[KINDS[kind].reason],
      optional: true,
      multiline: true,
      // Together with the chosen reason it may be too long: the submission says so.
      max: REASON_MAX,
    }),
    ticket: sometimes(
      text('ticket', {
        label: 'Link to the ticket',
        hint: `A link on ${either(hosts)}. The card shows it, except in channels shared with another company.`,
        optional: true,
        max: ADDRESS_MAX,
      }),
    ),
    // Shared channels are offered, too: whether they may be used is not known yet when the form opens.
    channel: sometimes(
      channel(ACTIONS.channel, {
        label: 'Channel for updates',
        hint: 'Your request will be posted in the chosen channel, and the outcome in the thread of the request.',
        dispatches: true,
        include: ['public', 'private'],
        shared: true,
        current: !isElsewhere,
      }),
    ),
  };
  return form(requestCallback(kind), fields, asJson(About, {}));
}

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
        // `OTHER_ID` changes the form.
        dispatches: true,
        hint: 'The message has several ids. Choose one.',
        placeholder: 'Choose one',
        options: [...ids.map((id) => option(id, id)), option(OTHER_ID, 'Another id')],
      }),
    ),
  };
}

/**
 * Reads the form, submitted or while it is filled in. The card goes to the chosen channel or, where none could be chosen, to the
 * thread of the message that the request is made from. `wantsOtherId`: the form has to be drawn anew, with a field for the id.
 *
 * @throws if it is not this form: a fault
 */
export function readRequestForm(kind: Kind, view: FilledIn) {
  const { values, about } = requestForm(kind).read(view);
  const { target = '', chosen, written, channel, reasonChoice = '', ticket } = values;
  const reason = [reasonChoice === OWN_REASON ? '' : reasonChoice, written].filter(Boolean).join(SEPARATOR);
  const { origin } = about;
  const isChosen = origin === undefined || isShown(view, ACTIONS.channel);
  const where = isChosen
    ? { channel, message: origin?.link ?? about.message }
    : { channel: origin.channel, thread: origin.thread };
  const wantsOtherId = chosen === OTHER_ID;
  const id = wantsOtherId ? '' : (chosen ?? target);
  return {
    request: { target: id, reason, ...(ticket && { ticket }), ...where },
    about: wantsOtherId ? { ...about, ids: undefined } : about,
    wantsOtherId,
  };
}

/**
 * The person's own words behind an offered reason, which may have been typed: in another case, with or without its last full
 * stop.
 *
 * @returns '' if there are none; undefined if the reason is another one
 */
export function wordsBehind(reason: string, offered: string): string | undefined {
  // The lookbehind has a long row of full stops matched once, not at each of them.
  const name = offered.replace(/(?<![.!?…])[.!?…]+$/, '');
  if (reason.slice(0, name.length).toLowerCase() !== name.toLowerCase()) return undefined;
  const rest = reason.slice(name.length).replace(/^[.!?…]+/, '');
  if (rest === '') return '';
  return rest.startsWith(SEPARATOR) ? rest.slice(SEPARATOR.length) : undefined;
}

/** Takes the reason of a request apart into the choice in the form and the written words. */
export function splitReason(
  reason: string,
  offered: readonly string[] = USUAL_REASONS,
): { chosen: string; written: string } {
  if (reason === '') return { chosen: '', written: '' };
  for (const chosen of offered) {
    const written = wordsBehind(reason, chosen);
    if (written !== undefined) return { chosen, written };
  }
  return { chosen: OWN_REASON, written: reason };
}

/** Puts texts at the fields of a form that was submitted: the id may be typed or chosen. */
export function requestErrors(
  kind: Kind,
  view: FilledIn,
  { target, ...texts }: Partial<ReturnType<typeof fieldTexts>>,
): FieldErrors {
  const { fields, at } = requestForm(kind);
  return at({ [isShown(view, fields.chosen.id) ? 'chosen' : 'target']: target, ...texts });
}
