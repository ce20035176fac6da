/** Tells a person why what they wanted was not done: another request is in the way, or this one has moved on. */
import { isOfForgotten } from '../../../requests/model/audit-entry.ts';
import { withoutReasons } from '../../../requests/model/channels.ts';
import { currentStep, type LateAction, type RequestRecord } from '../../../requests/model/record.ts';
import { isRecordedOutcome } from '../../../requests/model/summary.ts';
import type { Addresses } from '../../../requests/use-cases/addresses.ts';
import { isResending, possibleActions } from '../../../requests/use-cases/possible-actions.ts';
import type { ManualResult } from '../../../requests/use-cases/resolve-manually.ts';
import type { Role, RoleAction } from '../../../requests/use-cases/who-may.ts';
import { escaped, listed, mention, time } from '../../blocks/text.ts';
import { approversText } from './approval-texts.ts';
import { overLimitText } from './form-texts.ts';
import { ONCE_RESUMED, personSentence, REQUEST_NOT_FOUND, whoPaused } from './problems.ts';
import { KIND_COPY, orAgain, targetOf, targetText } from './request-words.ts';
import { label, NOT_DONE, recordedNote, sentence, whyNotNow } from './sentences.ts';

/**
 * Explains why an act on a request was not done.
 *
 * @param link to the card of the request that is in the way
 * @param reader the only person who reads the text; undefined: somebody who may read no reasons
 */
export function manualResultText(
  result: Exclude<ManualResult, { type: 'done' }>,
  link?: string,
  reader?: string,
): string {
  const again = result.record ? orAgain(result.record) : ' again';
  switch (result.type) {
    case 'not_found':
      return REQUEST_NOT_FOUND;
    case 'not_allowed':
      return personSentence(result.problem, 'Nothing was changed.', result.group);
    case 'not_theirs':
      return notTheirsText(result.record, result.action, result.may);
    case 'too_late':
      return tooLateText(result.record, result.late);
    case 'slot_taken':
      return aboutAnother(
        `Another ${requestTo(result.by)} is open, so ${isResending(result.action) ? `this one was not sent${again}` : 'nothing was recorded here'}.`,
        result.by,
        link,
        reader,
      );
    case 'newer_request':
      return aboutAnother(
        `There is a newer ${requestTo(result.by)}, so nothing was recorded here.`,
        result.by,
        link,
        reader,
      );
    case 'done_before':
    case 'maybe_done_before':
      return aboutAnother(
        `There was already another ${requestTo(result.by)}. This one was not sent${again} yet.`,
        result.by,
        link,
        reader,
      );
    case 'too_few_approvers':
      return `There are not enough approvers besides ${whoCannotApprove(result.record, reader)}, so the request was not sent${again}. Ask an admin to change the approvers with /countermand settings.`;
    case 'paused':
      return `*${NOT_DONE[result.action]}*, because ${whoPaused(result.pause)}. Try again ${ONCE_RESUMED}.`;
    case 'over_limit':
      return overLimitText(result.usage, `this one was not sent${again}`);
    case 'settings_changed':
      return `An admin changed the settings while this was being checked, so nothing was sent${again}. Try again.`;
  }
}

/**
 * The people who cannot approve a request: the requester and the reader, who wants it sent again. In the terminal there
 * is no reader.
 */
function whoCannotApprove(record: RequestRecord | undefined, reader: string | undefined): string {
  if (reader === undefined) return 'the requester';
  return record?.requester === reader ? 'you' : 'the requester and you';
}

/** Tells that nothing has this id. @param id as it was typed */
export const noRequestText = (id: string): string =>
  `No request in this workspace has the id “${escaped(id)}”, or is about an order or offer with that id. Check the id. A request that ended long ago may have been removed.`;

/** The end of "Only admins can …". */
function actionText(record: RequestRecord, action: RoleAction): string {
  if (action === 'withdraw') return 'withdraw this request';
  if (action === 'release') return 'close this request without an outcome';
  return `${isRecordedOutcome(currentStep(record)) ? 'correct' : 'record'} the outcome of this request`;
}

/** "the requester, the approvers (Ana and Ben) and admins". A request without a policy has no approvers. */
export function whoText({ approval }: RequestRecord, may: readonly Role[]): string {
  const names: Record<Role, string | undefined> = {
    requester: 'the requester',
    approvers: approval && `the approvers (${approversText(approval.policy)})`,
    admins: 'admins',
  };
  return listed(may.flatMap((role) => names[role] ?? []));
}

export function notTheirsText(record: RequestRecord, action: RoleAction, may: readonly Role[]): string {
  return `Only ${whoText(record, may)} can ${actionText(record, action)}. Nothing was changed. Ask one of them.`;
}

/**
 * Explains that the request has moved on, without reasons: its reader need not be among those who may read them.
 *
 * @param late the act, and the state in which it came too late
 */
export function tooLateText(
  record: RequestRecord,
  { action, state }: Pick<LateAction, 'action' | 'state'>,
): string {
  const help =
    action === 'withdraw' && state === 'calling'
      ? ' If it cannot be sent, the card shows Withdraw again.'
      : '';
  // The state alone would allow it: somebody has acted on the request since the person saw it.
  const isOutdated = record.state === state && possibleActions(record).some((each) => each === action);
  const why = isOutdated
    ? 'the request has changed since you saw it'
    : (whyNotAgain(record, action) ?? whyNotNow({ kind: record.kind, state }));
  const shown = withoutReasons(record);
  return `*${NOT_DONE[action]}*, because ${why}. ${sentence(shown, currentStep(shown))}${help}`;
}

const whyNotAgain = (record: RequestRecord, action: LateAction['action']): string | undefined =>
  isResending(action) && isOfForgotten(record)
    ? 'the request cannot be sent again: its requester was removed from the records'
    : undefined;

/** Says that no outcome can be recorded: the text is the same for each, so `approved` stands for all of them. */
export const nothingToRecordText = (record: RequestRecord): string =>
  tooLateText(record, { action: 'approved', state: record.state });

/** The label of the button that sends a request again in spite of the warning of another one. */
export const RETRY_ANYWAY = 'Retry anyway';

/** Follows the warning where that button can't be shown. */
export const retryInHistory = ({ id }: { id: string }): string =>
  `To send it all the same, choose *Retry* in \`/countermand history ${id}\`.`;

/** `addresses`: to which the id links. `reader`: as for `manualResultText`. */
type Shown = { addresses?: Addresses; reader?: string | undefined };

/**
 * Explains that an open request holds the slot.
 *
 * @param typed the id as it was typed, which may differ in the case of its letters
 * @param link to the other request's card; undefined where it has none yet, or Slack did not give it in time
 */
export function slotTakenText(
  by: RequestRecord,
  typed: string,
  link: string | undefined,
  { addresses, reader }: Shown = {},
): string {
  const what = `There is already an open ${requestTo(by, addresses)}${spelling(by, typed)}`;
  return aboutAnother(`${what}, so yours was not created, and nothing was sent for it.`, by, link, reader);
}

/** Points out an earlier request with the same effect, known or possible: nothing was sent for this one yet. */
export function doneBeforeText(
  earlier: RequestRecord,
  typed: string,
  link: string | undefined,
  { addresses, reader }: Shown = {},
): string {
  const what = `:warning: There was already a ${requestTo(earlier, addresses)}${spelling(earlier, typed)}`;
  return aboutAnother(`${what}. Nothing was sent for yours yet.`, earlier, link, reader);
}

/**
 * Explains why a request has no text for the customer.
 *
 * @param by the other request, because of which the outcome may not hold: it is open or later or, if this one was declined,
 *   perhaps earlier
 */
export const outdatedText = (by: RequestRecord, link: string | undefined, reader?: string): string =>
  aboutAnother(
    `What to tell the customer also depends on another ${requestTo(by)}, so there is no text for this one alone.`,
    by,
    link,
    reader,
  );

export function alreadySubmittedText(
  record: RequestRecord,
  link: string | undefined,
  addresses?: Addresses,
): string {
  return [
    `You have already submitted this form, for ${targetOf(record, addresses)}. What you changed since was not submitted, and nothing was sent for it.`,
    `${link ? `<${link}|Open its thread>, or close` : 'Close'} this form and start a new one for anything else.`,
    summary(record, record.requester),
  ].join('\n');
}

/** "request to send offer O-1": one to send an offer is in the way of one to cancel it, too. */
const requestTo = (record: RequestRecord, addresses?: Addresses): string =>
  `request to ${KIND_COPY[record.kind].verb} ${targetText(record, addresses)}`;

const spelling = ({ target }: RequestRecord, typed: string): string =>
  target === typed ? '' : ` (you typed ${escaped(typed)})`;

/**
 * Points out another request: its own words come last, because they may be cut.
 *
 * @param what its meaning for the request of the reader
 */
function aboutAnother(what: string, other: RequestRecord, link: string | undefined, reader?: string): string {
  const where = link ? `<${link}|Open its thread>.` : `The other request was made in <#${other.channel}>.`;
  return [what, where, summary(other, reader)].join('\n');
}

function summary(record: RequestRecord, reader: string | undefined): string {
  const requested = `Requested by ${mention(record.requester)}, ${time(record.createdAt)}`;
  const shown = shownTo(reader, record);
  return `*${label(record)}*${recordedNote(record)} · ${requested}\n${sentence(shown, currentStep(shown))}`;
}

/** A request for a reader who need not be in its channel, and so must not read reasons, unless they have made it. */
export const shownTo = (reader: string | undefined, record: RequestRecord): RequestRecord =>
  reader === record.requester ? record : withoutReasons(record);
