/** Sentences about an answer of the order service that is no success: a refusal, or one that leaves the outcome open. */
import type { Answer } from '../../../requests/model/cause.ts';
import { KINDS } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import {
  canSucceedAgain,
  deniesCall,
  type Refusal,
  tokenVerdict,
  wasNotAsked,
} from '../../../requests/model/refusal.ts';
import { escaped } from '../../blocks/text.ts';
import { withheldText } from './problems.ts';
import { capital, KIND_COPY, targetOf } from './request-words.ts';

type NoAnswer = Extract<Answer, { type: 'no_answer' }>;

const NO_ANSWER: Record<NoAnswer['why'], string> = {
  timeout: 'The order service did not answer in time',
  server_error: 'The order service failed while it worked on the request',
  gave_up: 'The order service, or a gateway in front of it, gave up on the request',
  redirected: 'The order service answered with a redirect, which Countermand never follows',
  unreadable: 'The order service gave an answer that cannot be read',
  contradictory: 'The order service reported a success and an error at once',
  about_another: 'The order service named another id in its answer',
  cut: 'The connection to the order service was lost before it answered',
  interrupted: 'Countermand was interrupted during the call',
};

/** In place of these, if the status came and the answer was never complete. */
const CUT_SHORT: Partial<typeof NO_ANSWER> = {
  timeout: 'The order service began to answer, but did not finish in time',
  cut: 'The connection to the order service was lost before its answer was complete',
};

export function whyNoAnswer({ why, httpStatus }: NoAnswer): string {
  return httpStatus ? `${CUT_SHORT[why] ?? NO_ANSWER[why]} (HTTP ${httpStatus})` : NO_ANSWER[why];
}

/** The reason of a refusal, as a sentence without a full stop; the service's own words follow it. */
export function refusalReason(answer: Refusal): string {
  if (answer.tokenKind === 'graphql') return "The order service refused this workspace's GraphQL token";
  if (refusesToken(answer)) return "The order service refused this workspace's token";
  if (wasNotAsked(answer)) return 'This cannot be an id, so the order service was not asked';
  if (answer.httpStatus < 300) return 'The order service answered that the request did not succeed';
  return 'The order service refused the request';
}

const refusesToken = ({ httpStatus: status, code }: Refusal) => tokenVerdict({ status, code }) === 'refused';

/** Says who connects another token, if the token is at fault. `why`: the beginning of the sentence. */
export function tokenHelp(answer: Refusal): { why: string; help: string } | undefined {
  if (answer.tokenKind === 'graphql')
    return {
      why: 'REST endpoints are ending their support for GraphQL tokens: ',
      help: 'ask an admin to connect a REST API token with /countermand connect',
    };
  if (refusesToken(answer))
    return { why: '', help: 'ask an admin to connect the workspace again with /countermand connect' };
  if (answer.code !== 'FORBIDDEN') return undefined;
  return LACKS_PERMISSION;
}

/** The help where a token that the order service knows may not make a call. */
export const LACKS_PERMISSION = {
  why: "This workspace's token does not allow this: ",
  help: 'ask an admin to connect one that does',
};

/**
 * The next step; Retry is named only if it is offered (refusal.ts).
 *
 * @param retry "press Retry", and where
 * @param again how the same is requested with another id
 */
export function refusalHelp(
  record: RequestRecord,
  answer: Refusal,
  retry: string,
  again = 'request it again',
): string {
  const { kind, repeats } = record;
  const token = tokenHelp(answer);
  if (token) return `${capital(`${token.why}${token.help}`)}, then ${retry}.`;
  if (repeats) {
    // The earlier outcome may have been corrected since, so this is told in the past.
    const thread = repeats.link ? `: <${repeats.link}|open its thread>` : '';
    const [when, other] = repeats.again
      ? ['When this was sent again', 'another request']
      : ['When this was requested', 'an earlier request'];
    const { did, done } = KIND_COPY[repeats.kind];
    return repeats.maybe
      ? `${when}, it was not certain whether ${other} had ${did}${thread}. Look ${targetOf(record)} up in the order service.`
      : `${when}, ${other} said that ${targetOf(record)} ${done}${thread}.`;
  }
  if (answer.code === 'OFFER_CANCELLATION_ERROR')
    return 'Look the offer up in the order service: its status does not allow this, and it may already be sent or cancelled.';
  if (canSucceedAgain(answer)) return `Look ${targetOf(record)} up in the order service, or ${retry}.`;
  if (deniesCall(answer))
    return 'Tell an admin: the order service does not take this kind of call. The operator of Countermand finds its answer in the log.';
  const isAboutReason = KINDS[kind].reason !== 'not_sent' && answer.code === 'VALIDATION_ERROR';
  const help = `Check the id${isAboutReason ? ' and the reason' : ''}, then ${again}.`;
  // A service that has another route or address answers so, too.
  return answer.httpStatus === 404 && answer.code === undefined
    ? `${help} If every id is refused, tell an admin: the address of the order service may be wrong.`
    : help;
}

/** The service's own words, its code and its details, on lines of their own, without repetitions. */
export function refusalWords(record: RequestRecord, answer: Refusal): string {
  return wasNotAsked(answer) ? '' : serviceWords(record, answer, 'It gave no reason');
}

/** The service's own words in an answer that leaves the outcome open; undefined: there are none. */
export function noAnswerWords(record: RequestRecord, answer: NoAnswer): string | undefined {
  const { code, message, details = [], httpStatus = 0, withheld } = answer;
  if (code === undefined && message === undefined && details.length === 0 && !withheld) return undefined;
  return serviceWords(record, { ...answer, details, httpStatus }, 'It gave no message');
}

type Words = Pick<Refusal, 'code' | 'message' | 'details' | 'httpStatus' | 'withheld'>;

function serviceWords(record: RequestRecord, answer: Words, wordless: string): string {
  const { code, message, details, httpStatus, withheld } = answer;
  const name = code ?? (httpStatus >= 300 ? `HTTP ${httpStatus}` : undefined);
  const named = name === undefined || name === message ? '' : ` (${escaped(name)})`;
  if (withheld) return `\n${withheldText(record, `Its answer${named}`)}`;
  const quoted = message ? `“${escaped(message)}”` : wordless;
  const lines = details
    .filter((detail) => !isSaidIn(message, detail))
    .map(({ field, error }) => `\n• ${escaped(field)}: ${escaped(error)}`);
  return `\n${quoted}${named}.${[...new Set(lines)].join('')}`;
}

/** Whether a message says what a detail says: it is the same, or has it and names the field. */
function isSaidIn(message: string | undefined, { field, error }: Words['details'][number]): boolean {
  const said = message?.toLowerCase() ?? '';
  const namesField = said.split(/[^\p{L}\p{N}_]+/u).includes(field.toLowerCase());
  return said === error.toLowerCase() || (namesField && said.includes(error.toLowerCase()));
}
