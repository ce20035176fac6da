/** Explains a refusal of the order service, and what helps (order-service-interface.md, section 7). */

import type { Answer } from '../../../requests/model/cause.ts';
import { KINDS } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import { canSucceedAgain, type Refusal, tokenVerdict } from '../../../requests/model/refusal.ts';
import { KIND_COPY, sentenceSubject, targetOf, withheldText } from '../../blocks/kind-copy.ts';
import { escaped } from '../../blocks/text.ts';

/** The reason of a refusal, as a sentence without a full stop; the service's own words follow it. */
export function refusalReason(answer: Refusal): string {
  if (answer.tokenKind === 'graphql') return "The order service refused this workspace's GraphQL token";
  if (isOfToken(answer)) return "The order service refused this workspace's token";
  if (answer.httpStatus === 0) return 'This cannot be an id, so the order service was not asked';
  if (answer.httpStatus < 300) return 'The order service answered that the request did not succeed';
  return 'The order service refused the request';
}

const isOfToken = ({ httpStatus: status, code }: Refusal) => tokenVerdict({ status, code }) === 'refused';

/** The next step; Retry is named only if it is offered (refusal.ts). */
export function refusalHelp(record: RequestRecord, answer: Refusal): string {
  const { kind, repeats } = record;
  if (repeats) {
    const thread = repeats.link ? `: <${repeats.link}|open its thread>` : '';
    return `${sentenceSubject(record)} ${KIND_COPY[repeats.kind].done} already, according to an earlier request${thread}.`;
  }
  if (answer.tokenKind === 'graphql')
    return 'REST endpoints are ending their support for GraphQL tokens: ask an admin to connect a REST API token with /countermand connect, then press Retry.';
  if (isOfToken(answer))
    return 'Ask an admin to connect the workspace again with /countermand connect, then press Retry.';
  if (answer.code === 'FORBIDDEN')
    return "This workspace's token does not allow this: ask an admin to connect one that does, then press Retry.";
  if (answer.code === 'OFFER_CANCELLATION_ERROR')
    return 'Look the offer up in the order service: its status does not allow this, and it may already be cancelled.';
  if (canSucceedAgain(answer)) return `Look ${targetOf(record)} up in the order service, or press Retry.`;
  const isAboutReason = KINDS[kind].needsReason && answer.code === 'VALIDATION_ERROR';
  return `Check the id${isAboutReason ? ' and the reason' : ''}, then request it again.`;
}

/** The service's own words, its code and its details, on lines of their own, without repetitions. */
export function refusalWords(record: RequestRecord, answer: Refusal): string {
  // The service was not called, so there are no words of it.
  return answer.httpStatus === 0 ? '' : serviceWords(record, answer, 'It gave no reason');
}

type NoAnswer = Extract<Answer, { type: 'no_answer' }>;

/** The same for an answer that leaves the outcome open; undefined: it had no words. */
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
  const quotedWords = message?.toLowerCase() ?? '';
  const lines = details
    .filter(({ error }) => !quotedWords.includes(error.toLowerCase()))
    .map(({ field, error }) => `\n• ${escaped(field)}: ${escaped(error)}`);
  return `\n${quoted}${named}.${[...new Set(lines)].join('')}`;
}
