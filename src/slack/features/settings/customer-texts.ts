/** The form in which an admin writes the texts for customers: it opens on top of the settings, and is saved by itself. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { CUSTOMER_REPLIES, type CustomerReply } from '../../../requests/model/kinds.ts';
import type { GeneralSettings, InForce, SettingName, Settings } from '../../../requests/model/settings.ts';
import { text } from '../../blocks/fields.ts';
import { asJson, type FilledIn, form } from '../../blocks/forms.ts';
import { CALLBACKS } from '../../blocks/ids.ts';
import { context } from '../../blocks/text.ts';
import { adminModalAction, adminsOnly } from '../../listeners/admin-only.ts';
import { refusal } from '../../listeners/answers.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  type ViewArgs,
  workspaceOf,
} from '../../listeners/listener.ts';
import { viewBeneath } from '../../listeners/marks.ts';
import {
  notOfferedReasonsText,
  readReasonLine,
  reasonsNotOffered,
  USUAL_REASON_LINES,
  USUAL_TEXTS,
  withoutReason,
} from '../customer-reply.ts';
import { SETTINGS_FRAME, savedAnswer, showSettings } from './settings.ts';
import { ABOUT_BENEATH, beneath, readLines } from './settings-form.ts';

const TITLE = 'Replies to customers';

const TEMPLATE_MAX = 1_000;
const MOST_REASONS_REWORDED = 40;

/** Matches a place to be filled in, also one of an unknown name. */
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
      if (other) return `${other} is not known. Write {id} or {reason}.`;
      return typed !== '' && withoutReason(typed).trim() === ''
        ? 'For a reason without words, this text would be empty. Add a line without {reason}.'
        : undefined;
    },
  });

function reasonLineProblem(line: string): string | undefined {
  if (readReasonLine(line)) return undefined;
  const what = line.includes('=')
    ? 'needs a reason before the = and words after it'
    : 'has no = between a reason and its words';
  return `“${line}” ${what}, such as: Ordered twice = it was ordered twice`;
}

export const CUSTOMER_TEXTS_FORM = form(
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
  // `shown`: the version of the settings that the form shows.
  asJson(z.object({ shown: z.number().optional(), ...ABOUT_BENEATH })),
);

type About = ReturnType<typeof CUSTOMER_TEXTS_FORM.read>['about'];

/** @param inForce the settings that the form shows @param about the settings beneath */
export function customerTextsModal(
  { settings, version }: InForce,
  about: Pick<About, 'beneath' | 'hash'>,
): types.ModalView {
  const { fields } = CUSTOMER_TEXTS_FORM;
  const blocks = [
    context(
      '{id} stands for the id of the order or offer, {reason} for the reason. A line with {reason} is left out where the reason has no words below. A text that you leave empty becomes the usual one again.',
    ),
    ...CUSTOMER_REPLIES.map((name) => fields[name].block(settings[name] ?? USUAL_TEXTS[name])),
    fields.reasonsForCustomers.block((settings.reasonsForCustomers ?? USUAL_REASON_LINES).join('\n')),
  ];
  return CUSTOMER_TEXTS_FORM.view({ title: TITLE, submit: 'Save', blocks }, { shown: version, ...about });
}

/**
 * Reads the texts, and the mistakes, each at its field. A reason that agents cannot choose is a mistake, unless it has words
 * already.
 *
 * @throws if the view is not this form: a fault
 */
export function readCustomerTexts(
  view: FilledIn,
  inForce: Pick<Settings, 'reasons' | 'reasonsForCustomers'>,
) {
  const { values, about } = CUSTOMER_TEXTS_FORM.read(view);
  const texts = CUSTOMER_REPLIES.map((name) => [name, unlessUsual(values[name], USUAL_TEXTS[name])]);
  const lines = readLines(values.reasonsForCustomers);
  const usual = unlessUsual(lines.join('\n'), USUAL_REASON_LINES.join('\n')) === undefined;
  const settings: GeneralSettings = {
    ...Object.fromEntries(texts),
    reasonsForCustomers: usual ? undefined : lines,
  };
  const former = reasonsNotOffered(inForce.reasonsForCustomers ?? USUAL_REASON_LINES, inForce);
  const unknown = reasonsNotOffered(lines, inForce).filter((named) => !former.includes(named));
  const errors = {
    ...CUSTOMER_TEXTS_FORM.at(
      unknown.length > 0 ? { reasonsForCustomers: notOfferedReasonsText(unknown) } : {},
    ),
    ...CUSTOMER_TEXTS_FORM.mistakes(values),
  };
  return { settings, about, errors };
}

const unlessUsual = (typed: string, usual: string): string | undefined =>
  typed === '' || typed === usual ? undefined : typed;

export const CUSTOMER_TEXTS_UNCHANGED =
  'Nothing was changed: the replies to customers were already like this.';

export const customerTextsAction = (deps: ListenerDeps): Listener<ActionArgs> =>
  adminModalAction(deps, { ...SETTINGS_FRAME, title: TITLE }, async ({ workspace }, { body }) =>
    customerTextsModal(await deps.settingsInForce(workspace), beneath(body)),
  );

export function customerTextsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(TITLE, deps, async ({ ack, body, view, client, context }) => {
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const { settings, about, errors } = readCustomerTexts(view, await deps.settings(who.workspace));
    const refused = refusal(errors);
    if (refused) return ack(refused);
    const saved = await deps.saveSettings(who.workspace, settings, about.shown, who.by);
    const form = { title: TITLE, unchanged: CUSTOMER_TEXTS_UNCHANGED, at: CUSTOMER_TEXTS_FORM.at };
    await ack(savedAnswer(form, settings, saved));
    if (saved.type !== 'saved') return;
    const settingsBeneath = { opened: viewBeneath(view, about.hash), ...about, saved: saved.version };
    await showSettings(deps, client, who, settingsBeneath);
  });
}
