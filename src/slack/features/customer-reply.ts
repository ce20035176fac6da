/** Makes the text for the customer of a request from the workspace's templates, and shows it to the person who copies it. */
import type { types } from '@slack/bolt';
import type { CustomerReply } from '../../requests/model/kinds.ts';
import type { RequestRecord } from '../../requests/model/record.ts';
import type { Settings } from '../../requests/model/settings.ts';
import { isReopened } from '../../requests/model/summary.ts';
import { MAY_REPLY } from '../../requests/use-cases/who-may.ts';
import { text } from '../blocks/fields.ts';
import { form } from '../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../blocks/ids.ts';
import { context, listed, section, truncate } from '../blocks/text.ts';
import type { Feature } from '../listeners/listener.ts';
import { type ModalAboutRequest, requestFormAction } from '../listeners/modals.ts';
import { manualResultText, outdatedText, whoText } from '../messages/sentences/result-texts.ts';
import { whyNotNow } from '../messages/sentences/sentences.ts';
import { USUAL_REASONS, wordsBehind } from './request/request-form.ts';

export const customerReply: Feature = (deps) => ({
  actions: { [ACTIONS.customerReply]: requestFormAction(deps, REPLY) },
  // "Done" only closes the text.
  views: { [CALLBACKS.customerReply]: async ({ ack }) => ack() },
});

const REPLY: ModalAboutRequest = {
  title: 'Reply to the customer',
  async fill(deps, { who }) {
    const found = await deps.readCustomerReply(who);
    switch (found.type) {
      case 'offered':
        return replyModal(customerText(found.reply, found.record, await deps.settings(who.workspace)));
      case 'not_theirs':
        return { refused: notTheirsToReplyText(found.record) };
      case 'nothing_to_tell':
        return { refused: noCustomerReplyText(found.record) };
      case 'outdated':
        return { refused: outdatedText(found.by, await deps.links.toCard(found.by), who.by) };
      default:
        return { refused: manualResultText(found) };
    }
  },
};

/** Slack's limit of a text field (https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element). */
const TEXT_MAX = 3_000;

const TEXT_CUT = `:warning: This text has more than ${TEXT_MAX.toLocaleString('en')} characters: the rest of it is left out below. An admin can shorten it in the settings.`;

const FORM = form(CALLBACKS.customerReply, {
  text: text('text', { label: 'Text', optional: true, multiline: true, max: TEXT_MAX }),
});

export const replyModal = (shown: string): types.ModalView =>
  FORM.view(
    {
      title: REPLY.title,
      submit: 'Done',
      blocks: [
        // The settings limit the template and the words separately: the whole text may be longer.
        ...(shown.length > TEXT_MAX ? [section(TEXT_CUT)] : []),
        FORM.fields.text.block(shown),
        context(
          'Copy this into your reply. Nothing is sent from here, and changes that you make here are not kept.',
        ),
      ],
    },
    undefined,
  );

export const notTheirsToReplyText = (record: RequestRecord): string =>
  `Only ${whoText(record, MAY_REPLY)} can see the text for the customer. Ask one of them.`;

const UNDECIDED = 'a newer event from the order service does not say what became of it';

export const noCustomerReplyText = (record: RequestRecord): string =>
  `There is nothing to tell the customer now, because ${isReopened(record) ? UNDECIDED : whyNotNow(record)}.`;

/** The usual templates. A line with `{reason}` is left out if the reason has no words for customers. */
export const USUAL_TEXTS: Record<CustomerReply, string> = {
  replyOrderCanceled: 'Hello,\n\nYour order {id} has been cancelled.\nThe reason: {reason}.',
  replyOrderInReview:
    'Hello,\n\nThe cancellation of your order {id} has been requested. We will write to you as soon as we know the outcome.',
  replyOrderNotCanceled: 'Hello,\n\nUnfortunately, your order {id} could not be cancelled.',
  replyOfferSent: 'Hello,\n\nWe have sent you our offer {id}.',
  replyOfferCanceled: 'Hello,\n\nOur offer {id} is no longer valid.',
};

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

/** The reasons in these lines that agents cannot choose. Only requests that were made with such a reason before use its words. */
export const reasonsNotOffered = (
  lines: readonly string[],
  { reasons = USUAL_REASONS }: Pick<Settings, 'reasons'>,
): string[] =>
  lines
    .flatMap((line) => readReasonLine(line)?.reason ?? [])
    .filter((named) => !reasons.some((offered) => wordsBehind(named, offered) === ''));

/**
 * The most characters of a list of reasons: few enough to be read beneath a field, and to fit in a block once they are escaped.
 */
const REASONS_SHOWN = 500;

/** Says that nobody can choose these reasons, in plain text. */
export const notOfferedReasonsText = (names: readonly string[]): string =>
  `${truncate(listed(names.map((name) => `“${name}”`)), REASONS_SHOWN)} ${names.length === 1 ? 'is' : 'are'} not among the reasons to choose from.`;

/**
 * The text about one request, as it may be sent to its customer. A reason that an agent wrote in their own words is for
 * colleagues, so it has no words here. Nor has the reason of a request that was not sent, because somebody else had cancelled
 * the order: theirs is not known.
 */
export function customerText(
  reply: CustomerReply,
  { target, reason, state }: Pick<RequestRecord, 'target' | 'reason' | 'state'>,
  settings: Settings,
): string {
  const template = settings[reply] ?? USUAL_TEXTS[reply];
  const lines = settings.reasonsForCustomers ?? USUAL_REASON_LINES;
  const words = state === 'already_canceled' ? undefined : wordsFor(reason, lines);
  const text = words === undefined ? withoutReason(template) : template;
  return text.replaceAll(/\{(id|reason)\}/g, (_placeholder, name) =>
    name === 'id' ? target : (words ?? ''),
  );
}

/** Leaves out the lines of a template that need words for the reason. */
export const withoutReason = (template: string): string =>
  template
    .split('\n')
    .filter((line) => !line.includes('{reason}'))
    .join('\n');

/** The words for the reason that an agent chose. If one reason is the beginning of another one, the longer one counts. */
function wordsFor(given: string, lines: readonly string[]): string | undefined {
  const known = lines.flatMap((line) => readReasonLine(line) ?? []);
  const fitting = known.filter(({ reason }) => wordsBehind(given, reason) !== undefined);
  return fitting.toSorted((one, other) => other.reason.length - one.reason.length)[0]?.words;
}
