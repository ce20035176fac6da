/** Draws the form of a request: what it is filled in with, the links, what is said about the channel, and the warnings. */
import type { types } from '@slack/bolt';
import { KINDS, type Kind } from '../../../requests/model/kinds.ts';
import { isNearLimit, type Usage } from '../../../requests/model/recent.ts';
import type { Settings } from '../../../requests/model/settings.ts';
import { ADDRESS_MAX, type Addresses, addressOf } from '../../../requests/use-cases/addresses.ts';
import { REASON_MAX, TARGET_MAX } from '../../../requests/use-cases/input.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import type { Field } from '../../blocks/fields.ts';
import { type GivenBack, withBlocks } from '../../blocks/forms.ts';
import { context, LIMITS, plain, section } from '../../blocks/text.ts';
import {
  ID_TOO_LONG,
  IN_THREAD,
  nearLimitText,
  noReplyText,
  REASON_CUT,
  SHARING,
} from '../../messages/sentences/form-texts.ts';
import { KIND_COPY, linksText } from '../../messages/sentences/request-words.ts';
import { type AboutRequest, requestForm, splitReason } from './request-form.ts';

/** The values that the form is filled in with, and its metadata. */
export type Prefilled = Pick<AboutRequest, 'origin' | 'ids' | 'noReply' | 'message'> & {
  target: string;
  reason: string;
  ticket?: string | undefined;
  channel?: string | undefined;
};

/** All that is read once the form is open. `sharing`: of the channel. `usage`: what this person has requested within the hour. */
type RequestContext = {
  settings?: Addresses & Pick<Settings, 'reasons'>;
  sharing?: Sharing;
  usage?: Usage | undefined;
};

export function requestModal(kind: Kind, known: Prefilled, details: RequestContext = {}): types.ModalView {
  const { origin, ids, noReply, message } = known;
  const { usage, settings = {} } = details;
  const { reasons, ticketHosts: hosts = [] } = settings;
  const hasAddresses = addressOf({ kind, target: '1' }, settings) !== undefined;
  // A bot that is merely no member can be invited.
  const isElsewhere = noReply !== undefined && noReply !== 'not_member';
  const { fields, view } = requestForm(kind, { reasons, ids, hasAddresses, hosts, isElsewhere });
  // Left out, and not cut: the beginning of an id is another id.
  const isTooLong = known.target.length > (hasAddresses ? ADDRESS_MAX : TARGET_MAX);
  const target = isTooLong ? '' : known.target;
  const links = linksText({ kind, target }, settings);
  const isRequired = KINDS[kind].reason === 'required';
  const reason = isRequired ? splitReason(known.reason, reasons) : { chosen: '', written: known.reason };
  const { title, submit } = KIND_COPY[kind];
  const blocks = [
    ...(isTooLong ? [section(ID_TOO_LONG)] : []),
    (ids ? fields.chosen : fields.target).block(target),
    ...(links === '' ? [] : [context(links)]),
    ...(isRequired ? [fields.reasonChoice.block(reason.chosen)] : []),
    // A reason that was given with a command may be longer than the field.
    ...(reason.written.length > REASON_MAX ? [section(REASON_CUT)] : []),
    fields.written.block(reason.written),
    ...(hosts.length > 0 ? [fields.ticket.block(known.ticket)] : []),
    ...place(known, fields.channel, details),
    ...(usage && isNearLimit(usage) ? [context(nearLimitText(usage))] : []),
  ];
  const about = { origin, ids, noReply, message };
  return view({ title, submit, blocks }, about);
}

/** The place of the card: in the thread of the message, or in a channel of the person's choice. */
function place(
  { origin, noReply, channel }: Prefilled,
  field: Pick<Field<string>, 'block'>,
  { sharing = 'none' }: RequestContext,
): types.KnownBlock[] {
  const shared = sharing === 'none' ? [] : [context(SHARING[sharing])];
  if (origin && !noReply) return [context(IN_THREAD), ...shared];
  const why = noReply ? [section(noReplyText(noReply))] : [];
  return [...why, field.block(channel), ...shared];
}

const WARNING = 'warning';

/**
 * `submit`: the label of the submit button while the warning is shown. `shown`: the metadata of the form, which names the
 * warnings that were shown.
 */
type Warning = { text: string; submit: string; shown: AboutRequest };

/** Puts a warning at the top of a submitted form: the person reads it, and submits again or corrects the form. */
export function withWarning(form: GivenBack, { text, submit, shown }: Warning): types.ModalView {
  const blocks = form.blocks.filter(({ block_id }) => block_id !== WARNING);
  return {
    ...withBlocks(form, [{ ...section(text), block_id: WARNING }, ...blocks]),
    submit: plain(submit, LIMITS.modalButton),
    private_metadata: JSON.stringify(shown),
  };
}

/** Keeps the warning of a form that is drawn anew while it is filled in. */
export function keepWarning(form: GivenBack, anew: types.ModalView): types.ModalView {
  const warning = form.blocks.filter(({ block_id }) => block_id === WARNING);
  if (warning.length === 0 || !form.submit) return anew;
  const { submit, private_metadata } = form;
  return { ...anew, submit, private_metadata, blocks: [...warning, ...anew.blocks] };
}
