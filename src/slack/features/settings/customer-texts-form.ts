/**
 * The texts for customers: the usual ones, how a template becomes the text about one request, and the form, on top of the
 * settings, in which an admin writes others.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { CUSTOMER_REPLIES, type CustomerReply } from '../../../requests/model/kinds/request-kind.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { InForce, Settings } from '../../../requests/ports/ports.ts';
import type { GeneralSettings, SettingName } from '../../../workspaces/settings-record.ts';
import { text } from '../../blocks/fields.ts';
import { asJson, type FieldErrors, type FilledIn, form } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { context } from '../../blocks/text.ts';
import type { USUAL_REASONS } from '../request/reasons.ts';
import { readLines } from './settings-form.ts';

export const CUSTOMER_TEXTS_TITLE = 'Replies to customers';

const TEMPLATE_MAX = 1_000;
const MOST_REASONS_REWORDED = 40;

/** A place that is filled in for a customer, and all that looks like one. */
const PLACEHOLDER = /\{[^{}\n]*\}/g;
const KNOWN_PLACEHOLDERS: ReadonlySet<string> = new Set(['{id}', '{reason}']);

const reply = (id: string, label: string) =>
  text(id, {
    label,
    optional: true,
    multiline: true,
    max: TEMPLATE_MAX,
    wrong(typed) {
      const other = typed.match(PLACEHOLDER)?.find((each) => !KNOWN_PLACEHOLDERS.has(each));
      return other && `Nothing can stand in place of ${other}. Write {id} or {reason}.`;
    },
  });

function reasonLineProblem(line: string): string | undefined {
  if (readReasonLine(line)) return undefined;
  const what = line.includes('=')
    ? 'needs a reason before the = and words after it'
    : 'has no = between a reason and its words';
  return `“${line}” ${what}, such as: Ordered twice = it was ordered twice`;
}

const FORM = form(
  CALLBACKS.customerTexts,
  {
    replyOrderCanceled: reply('reply_order_canceled', 'An order is cancelled'),
    replyOrderInReview: reply('reply_order_in_review', 'A cancellation is being reviewed'),
    replyOrderNotCanceled: reply('reply_order_not_canceled', 'An order is not cancelled'),
    replyOfferSent: reply('reply_offer_sent', 'An offer is sent'),
    replyOfferCanceled: reply('reply_offer_canceled', 'An offer is cancelled'),
    reasonsForCustomers: text('reasons_for_customers', {
      label: 'Reasons, in words for customers',
      hint: 'One per line: the reason that agents choose, then =, then what stands in place of {reason}.',
      optional: true,
      multiline: true,
      max: 3_000,
      wrong(typed) {
        const lines = readLines(typed);
        const problem = lines.map(reasonLineProblem).find((each) => each !== undefined);
        if (problem) return problem;
        return lines.length > MOST_REASONS_REWORDED
          ? `At most ${MOST_REASONS_REWORDED} reasons can have words.`
          : undefined;
      },
    }),
  } satisfies Partial<Record<SettingName, unknown>> & Record<CustomerReply, unknown>,
  // `shown`: the version of the settings that the form shows. `beneath`: that of the settings from which it was opened.
  asJson(z.object({ shown: z.number().optional(), beneath: z.number().optional() })),
);

type About = ReturnType<typeof FORM.read>['about'];

/** @param inForce what the form shows @param beneath the version of the settings from which it is opened */
export function customerTextsModal(
  { settings, version }: InForce,
  beneath: About['beneath'],
): types.ModalView {
  const { fields } = FORM;
  const blocks = [
    context(
      '{id} stands for the id of the order or offer, {reason} for the reason. A line with {reason} is left out where the reason has no words below. A text that you leave empty becomes the usual one again.',
    ),
    ...CUSTOMER_REPLIES.map((name) => fields[name].block(settings[name] ?? USUAL_TEXTS[name])),
    fields.reasonsForCustomers.block((settings.reasonsForCustomers ?? USUAL_REASON_LINES).join('\n')),
  ];
  return FORM.view({ title: CUSTOMER_TEXTS_TITLE, submit: 'Save', blocks }, { shown: version, beneath });
}

/** Reads the texts, and what is wrong at which field. @throws if the view is not this form: a fault */
export function readCustomerTexts(view: FilledIn): {
  settings: GeneralSettings;
  about: About;
  errors: FieldErrors;
} {
  const { values, about } = FORM.read(view);
  const texts = CUSTOMER_REPLIES.map((name) => [name, unlessUsual(values[name], USUAL_TEXTS[name])]);
  const lines = readLines(values.reasonsForCustomers);
  const usual = unlessUsual(lines.join('\n'), USUAL_REASON_LINES.join('\n')) === undefined;
  return {
    settings: { ...Object.fromEntries(texts), reasonsForCustomers: usual ? undefined : lines },
    about,
    errors: FORM.mistakes(values),
  };
}

const unlessUsual = (typed: string, usual: string): string | undefined =>
  typed === '' || typed === usual ? undefined : typed;

/** Puts a text at the fields of settings that have changed meanwhile. */
export const customerTextsErrors = (names: readonly SettingName[], problem: string): FieldErrors =>
  FORM.at(Object.fromEntries(names.map((name) => [name, problem])));

/** `{id}` and `{reason}` are filled in. A line with a reason is left out where customers have no words for it. */
const USUAL_TEXTS: Record<CustomerReply, string> = {
  replyOrderCanceled: 'Hello,\nyour order {id} has been cancelled.\nThe reason: {reason}.',
  replyOrderInReview:
    'Hello,\nthe cancellation of your order {id} has been requested. We will write to you as soon as we know the outcome.',
  replyOrderNotCanceled: 'Hello,\nunfortunately your order {id} could not be cancelled.',
  replyOfferSent: 'Hello,\nwe have sent you our offer {id}.',
  replyOfferCanceled: 'Hello,\nour offer {id} is no longer valid.',
};

const USUAL_WORDS: Record<(typeof USUAL_REASONS)[number], string> = {
  'The customer changed their mind': 'you changed your mind',
  'Ordered by mistake': 'it was ordered by mistake',
  'Ordered twice': 'it was ordered twice',
  'Delivery takes too long': 'the delivery takes too long',
  'Wrong address': 'the address was wrong',
};

/** The usual words for reasons, in the lines in which admins write their own. */
const USUAL_REASON_LINES: readonly string[] = Object.entries(USUAL_WORDS).map(
  ([reason, words]) => `${reason} = ${words}`,
);

/** Reads a line "Reason = words". @returns undefined if one of both is missing */
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

/** An agent may have written more behind the reason that they chose; one reason may begin with another one. */
function wordsFor(given: string, lines: readonly string[]): string | undefined {
  const known = lines.flatMap((line) => readReasonLine(line) ?? []);
  const fitting = known.filter(({ reason }) => given === reason || given.startsWith(`${reason}: `));
  return fitting.toSorted((one, other) => other.reason.length - one.reason.length)[0]?.words;
}
