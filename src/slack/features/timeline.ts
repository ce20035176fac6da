/** Tells the history of a request in lines, in order of time: its steps, its votes, and what people confirmed too late. */
import type { VoteEntry } from '../../requests/model/approval.ts';
import type { Answer, Choice } from '../../requests/model/cause.ts';
import type { RequestRecord, Step } from '../../requests/model/record.ts';
import { wasNotAsked } from '../../requests/model/refusal.ts';
import { STATES } from '../../requests/model/states.ts';
import { isRecorded } from '../../requests/model/summary.ts';
import { mention, mentions, time } from '../blocks/text.ts';
import { whyNoAnswer } from '../messages/sentences/answer-texts.ts';
import { sourceText } from '../messages/sentences/approval-texts.ts';
import { WHY_NOT } from '../messages/sentences/approvers-problems.ts';
import { capital } from '../messages/sentences/request-words.ts';
import { NOT_DONE, stepLabel } from '../messages/sentences/sentences.ts';
import { isApprovedBefore, sentBy, wants } from '../messages/sentences/waiting-or-ended-texts.ts';

type Line = { at: number; text: string };

/**
 * The lines of the history.
 *
 * @param isWhole whether calls that were not received are listed, too, even dozens of them
 */
export function timeline(record: RequestRecord, isWhole = false): string[] {
  const all = [...votes(record), ...steps(record, isWhole), ...lateActions(record)];
  const lines = all.sort((a, b) => a.at - b.at);
  // Tries that were not received are counted in one line, because a record may hold dozens.
  const tries = record.call.attempts > 1 ? [`• Tried ${record.call.attempts} times`] : [];
  return [...lines.map(({ at, text }) => `• ${time(at)} ${text}`), ...tries];
}

/** The characters of the lines that a message lists: Slack takes some 13,200 in all its blocks, which say other things, too. */
const MOST_CHARACTERS = 8_000;

/** The newest lines that a message has room for: a request may have been sent again any number of times. */
export function newestLines(lines: readonly string[]): string[] {
  let length = 0;
  const fitting = lines.toReversed().filter((line) => {
    length += line.length + 1;
    return length <= MOST_CHARACTERS;
  });
  const hidden = lines.length - fitting.length;
  const missing = hidden === 1 ? '1 earlier line is not shown' : `${hidden} earlier lines are not shown`;
  return [...(hidden > 0 ? [`• ${missing}`] : []), ...fitting.toReversed()];
}

/** Votes come before a decision of the same time. */
function votes({ approval }: RequestRecord): Line[] {
  if (!approval) return [];
  const { forgotten, history } = approval;
  const [first] = history;
  const missing = forgotten === 1 ? '1 other vote is not shown' : `${forgotten} other votes are not shown`;
  const gap = first && forgotten > 0 ? [{ at: first.at, text: missing }] : [];
  return [...gap, ...history.map((entry) => ({ at: entry.at, text: voteText(entry) }))];
}

const VERB: Record<Choice, string> = { yes: 'approve', no: 'decline' };

function voteText({ type, by, choice, source, problem }: VoteEntry): string {
  const vote = `vote to ${VERB[choice]} (${sourceText(source)})`;
  const texts: Record<VoteEntry['type'], string> = {
    voted: `${capital(mention(by))} voted to ${VERB[choice]} (${sourceText(source)})`,
    taken_back: `${capital(mention(by))} took back their ${vote}`,
    gone: `${capital(mention(by))}'s ${vote} was removed before the count`,
    void: `The ${vote} of ${mention(by)} no longer counts: ${problem ? WHY_NOT[problem] : 'they had no right to vote'}`,
    refused: `The ${vote} of ${mention(by)} did not count: ${problem ? WHY_NOT[problem] : 'it was refused'}`,
  };
  return texts[type];
}

function steps(record: RequestRecord, isWhole: boolean): Line[] {
  const shown = record.steps.filter((step, i) => isWhole || !isInVain(step, record.steps[i + 1]));
  return shown.map((step) => ({ at: step.at, text: stepText(record, step) }));
}

/** Whether a step is a call that was certainly not received, or the return to waiting after such a call. */
const isInVain = (step: Step, next: Step | undefined): boolean =>
  isTurnedBack(step) || (step.state === 'calling' && next !== undefined && isTurnedBack(next));

const isTurnedBack = ({ state, cause }: Step) => STATES[state].beforeCall && cause.type === 'answer';

function stepText(record: RequestRecord, step: Step): string {
  const { cause } = step;
  const name = stepLabel(record, step);
  switch (cause.type) {
    case 'requested':
      return `Requested by ${mention(cause.by)}`;
    case 'approval_requested_again':
      return `${capital(mention(cause.by))} ${wants(record, step)}: approval is needed`;
    case 'decision':
      return cause.choice === 'yes'
        ? `Approved by ${mentions(cause.by)}${isApprovedBefore(record, step) ? ' before, confirmed' : ''}`
        : `Declined by ${mentions(cause.by)}`;
    case 'call_begun':
      return `Call to the order service started${laterResult(record, step)}`;
    case 'reconsidered':
      return cause.isReviewed ? byEvent(name, step) : `${name}: the order service took back what it had said`;
    case 'event':
    case 'canceled_elsewhere':
      return byEvent(name, step);
    case 'answer':
      return answerText(name, step, cause.answer);
    case 'person':
      if (step.state === 'queued') return sentBy(record, step);
      return `${name}, ${isRecorded(step) || cause.action === 'never_received' ? 'recorded ' : ''}by ${mention(cause.by)}`;
    default:
      return name;
  }
}

const byEvent = (name: string, step: Step): string =>
  `${name}, according to an event from the order service${changes(step)}`;

const changes = ({ flips = 0 }: Step): string =>
  flips === 0 ? '' : `, the last of ${(flips + 1).toLocaleString('en')} changes`;

function lateActions({ lateActions: late }: RequestRecord): Line[] {
  return late.map(({ at, by, action }) => ({
    at,
    text: `${NOT_DONE[action]} for ${mention(by)}: it came too late`,
  }));
}

/**
 * Cites the order service only for what it has said, and not where the label names it already ("Refused by the order service").
 */
function answerText(name: string, { state }: Step, answer: Answer): string {
  if (answer.type === 'no_answer') return `${name}: ${whyNoAnswer(answer)}`;
  const isRefusal = answer.type === 'refused' && !wasNotAsked(answer) && state !== 'failed';
  const isItsWord = answer.type === 'said' || isRefusal;
  return isItsWord ? `${name}, according to the order service's answer` : name;
}

/** The result of a call whose answer was lost, if it became known later. */
function laterResult({ steps: all }: RequestRecord, { n, callResult }: Step): string {
  const next = all.find((step) => step.n === n + 1)?.cause;
  const wasLost = next?.type === 'answer' && next.answer.type === 'no_answer';
  return callResult && wasLost ? ` (${callResult.replace('_', ' ')}, as became known later)` : '';
}
