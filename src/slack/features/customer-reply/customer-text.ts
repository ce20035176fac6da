/** The texts for customers: the usual ones, and how a template becomes the text about one request. */
import type { CustomerReply } from '../../../requests/model/kinds/request-kind.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { isReason, type USUAL_REASONS } from '../request/reasons.ts';

/** Templates: `{id}` and `{reason}` are filled in. A line with a reason is left out where customers have no words for it. */
export const USUAL_TEXTS: Record<CustomerReply, string> = {
  replyOrderCanceled: 'Hello,\nyour order {id} has been cancelled.\nThe reason: {reason}.',
  replyOrderInReview:
    'Hello,\nthe cancellation of your order {id} has been requested. We will write to you as soon as we know the outcome.',
  replyOrderNotCanceled: 'Hello,\nunfortunately your order {id} could not be cancelled.',
  replyOfferSent: 'Hello,\nwe have sent you our offer {id}.',
  replyOfferCanceled: 'Hello,\nour offer {id} is no longer valid.',
};

/** The usual reasons, in words for customers. */
const USUAL_WORDS: Record<(typeof USUAL_REASONS)[number], string> = {
  'The customer changed their mind': 'you changed your mind',
  'Ordered by mistake': 'it was ordered by mistake',
  'Ordered twice': 'it was ordered twice',
  'Delivery takes too long': 'the delivery takes too long',
  'Wrong address': 'the address was wrong',
};

/** The usual reasons and words, in lines as admins write their own. */
export const USUAL_REASON_LINES: readonly string[] = Object.entries(USUAL_WORDS).map(
  ([reason, words]) => `${reason} = ${words}`,
);

/** Reads a line "Reason = words". @returns undefined if the reason or the words are missing */
export function readReasonLine(line: string): { reason: string; words: string } | undefined {
  const at = line.indexOf('=');
  const [reason, words] = [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()];
  return reason && words ? { reason, words } : undefined;
}

/**
 * The text about one request, as it may be sent to its customer. A reason that an agent wrote in their own words is for
 * colleagues, so it has no words here.
 */
export function customerText(
  reply: CustomerReply,
  { target, reason }: Pick<RequestRecord, 'target' | 'reason'>,
  settings: Settings,
): string {
  const template = settings[reply] ?? USUAL_TEXTS[reply];
  const lines = settings.reasonsForCustomers ?? USUAL_REASON_LINES;
  const words = wordsFor(reason, lines);
  return template
    .split('\n')
    .filter((line) => words !== undefined || !line.includes('{reason}'))
    .join('\n')
    .replaceAll(/\{(id|reason)\}/g, (_placeholder, name) => (name === 'id' ? target : (words ?? '')));
}

/** The words for the reason that an agent chose. One reason may begin with another one: the longest counts. */
function wordsFor(given: string, lines: readonly string[]): string | undefined {
  const known = lines.flatMap((line) => readReasonLine(line) ?? []);
  const fitting = known.filter(({ reason }) => isReason(given, reason));
  return fitting.toSorted((one, other) => other.reason.length - one.reason.length)[0]?.words;
}
