/** Texts for an agent whose request conflicts with another one. */
import { currentStep, type RequestRecord } from '../../requests/model/record.ts';
import type { Addresses } from '../../requests/use-cases/addresses.ts';
import { withoutReasons } from '../../requests/use-cases/sharing.ts';
import { KIND_COPY, targetOf, targetText } from '../blocks/kind-copy.ts';
import { escaped, mention, time } from '../blocks/text.ts';
import { sentence } from '../messages/sentences/sentences.ts';
import { label, recordedNote } from '../messages/sentences/state-copy.ts';

/**
 * @param typed the id as it was typed, which may differ in the case of its letters
 * @param link to the other request's card; undefined where it has none yet, or Slack did not give it in time
 * @param addresses to which the id links, in a window of the person's own
 */
export function slotTakenText(
  by: RequestRecord,
  typed: string,
  link: string | undefined,
  addresses?: Addresses,
): string {
  return [
    `There is already an open request for ${linked(by, addresses)}${spelling(by, typed)}, so yours was not created, and nothing was sent for it.`,
    summary(by),
    threadOf(by, link),
  ].join('\n');
}

/** Tells a person who wants an earlier request sent again that another one is open. */
export function retrySlotTakenText(by: RequestRecord, link: string | undefined): string {
  return [
    `Another request for ${targetOf(by)} is open, so this one was not sent again.`,
    summary(by),
    threadOf(by, link),
  ].join('\n');
}

/** Tells a person who corrects an outcome that another request was sent since, so this one must not be sent again. */
export function newerRequestText(by: RequestRecord, link: string | undefined): string {
  return [
    `A newer request for ${targetOf(by)} was sent, so nothing was recorded here.`,
    summary(by),
    threadOf(by, link),
  ].join('\n');
}

/** Points out an earlier request that has done it already: nothing was sent for this one yet. */
export function doneBeforeText(
  earlier: RequestRecord,
  typed: string,
  link: string | undefined,
  addresses?: Addresses,
): string {
  return [
    `:warning: There was already a request for ${linked(earlier, addresses)}${spelling(earlier, typed)}. Nothing was sent for yours yet.`,
    summary(earlier),
    threadOf(earlier, link),
  ].join('\n');
}

export function alreadySubmittedText(
  record: RequestRecord,
  link: string | undefined,
  addresses?: Addresses,
): string {
  return [
    `You have already submitted this form, for ${linked(record, addresses)}. What you changed since was not submitted, and nothing was sent for it.`,
    summary(record),
    `${link ? `<${link}|Open its thread>, or close` : 'Close'} this form and start a new one for anything else.`,
  ].join('\n');
}

/** "order A-1", whose id links where the workspace has an address for it. */
const linked = (record: RequestRecord, addresses?: Addresses): string =>
  `${KIND_COPY[record.kind].noun} ${targetText(record, addresses)}`;

const spelling = ({ target }: RequestRecord, typed: string): string =>
  target === typed ? '' : ` (you typed ${escaped(typed)})`;

const threadOf = ({ channel }: RequestRecord, link: string | undefined): string =>
  link ? `<${link}|Open its thread>.` : `The request is in <#${channel}>.`;

function summary(record: RequestRecord): string {
  const requested = `Requested by ${mention(record.requester)}, ${time(record.createdAt)}`;
  // The reader need not be in the channel of the request.
  const shown = withoutReasons(record);
  return `*${label(record)}*${recordedNote(record)} · ${requested}\n${sentence(shown, currentStep(shown))}`;
}
