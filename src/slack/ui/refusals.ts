/** What a refusal of the order service means, and what helps (order-service-interface.md, section 7). */
import type { Answer } from '../../requests/cause.ts';
import type { RequestRecord } from '../../requests/record.ts';
import { tokenVerdict } from '../../requests/token-verdict.ts';
import { escaped } from './text.ts';
import { subjectOf, WORDS, withheldText } from './words.ts';

type Refusal = Extract<Answer, { type: 'refused' }>;

const GRAPHQL =
  "The order service refused this workspace's token, which is a GraphQL token: REST endpoints are ending their support for those. Ask an admin to connect a REST API token with /countermand connect, then press Retry.";

const UNAUTHORIZED =
  "The order service refused this workspace's token. Ask an admin to run /countermand connect, then press Retry.";

/** What to do, where more can be said than "correct what it names". */
const HELP: Record<string, string> = {
  OFFER_CANCELLATION_ERROR:
    'Its status does not allow that, for example because it is cancelled already: look it up in the order service.',
  OFFER_NOT_FOUND: 'Check the id, and ask again.',
  FORBIDDEN: "This workspace's token may not do that: ask an admin for one that may, then press Retry.",
};

export function refusalText(record: RequestRecord, answer: Refusal | undefined): string {
  // Not that it is not: an earlier request may have done it, and that may be why this one was refused.
  const undone = `${subjectOf(record)} ${WORDS[record.kind].undone} by this request`;
  if (answer?.tokenKind === 'graphql') return `${undone}. ${GRAPHQL}`;
  if (answer && tokenVerdict({ status: answer.httpStatus, code: answer.code }) === 'refused')
    return `${undone}. ${UNAUTHORIZED}`;
  if (answer?.withheld) return `${undone}: ${withheld(record, answer)}`;
  if (answer?.message) return `${undone}: ${said(answer, answer.message)}`;
  const help = `Check the id, and ask again with ${WORDS[record.kind].command}.`;
  if (answer && answer.httpStatus < 300)
    return `${undone}: the order service answered that it did not succeed. ${help}`;
  const status = answer ? ` (HTTP ${answer.httpStatus})` : '';
  return `${undone}: the order service refused the request without saying why${status}. ${help}`;
}

/** What the service says may quote the reason that it was given. */
function withheld(record: RequestRecord, { code }: Refusal): string {
  const named = code ? ` (${escaped(code)})` : '';
  return `the order service refused the request${named}. ${withheldText(record, 'What it said')}`;
}

function said({ code, details }: Refusal, message: string): string {
  const lines = details.map(({ field, error }) => `\n• ${escaped(field)}: ${escaped(error)}`).join('');
  const help = (code && HELP[code]) ?? 'Correct what it names, and ask again, or press Retry.';
  return `the order service refused the request, saying “${escaped(message)}”${code ? ` (${escaped(code)})` : ''}.${lines}\n${help}`;
}
