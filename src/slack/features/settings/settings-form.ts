/** Declares the form of the settings: its fields, the mistakes in them, and how it is read. settings-modal.ts draws it. */
import { z } from 'zod';
import type { CustomerReply } from '../../../requests/model/kinds.ts';
import { HIGHEST_LIMIT, USUAL_LIMIT } from '../../../requests/model/recent.ts';
import type { GeneralSettings, SettingName, Settings } from '../../../requests/model/settings.ts';
import {
  ADDRESS_MAX,
  HOSTS_MAX,
  hostOf,
  type TemplateProblem,
  templateProblem,
} from '../../../requests/use-cases/addresses.ts';
import { isBlank, matchesNoId, PATTERN_MAX, withWordsPrintable } from '../../../requests/use-cases/input.ts';
import type { ShownVersion } from '../../../workspaces/settings-record.ts';
import { channel, searched, sometimes, text, tick } from '../../blocks/fields.ts';
import { asJson, type FilledIn, form } from '../../blocks/forms.ts';
import { ACTIONS, CALLBACKS } from '../../blocks/ids.ts';
import { LIMITS } from '../../blocks/text.ts';
import { type ActionArgs, isShown } from '../../listeners/listener.ts';
import { TICKET } from '../../messages/sentences/form-texts.ts';
import { USUAL_REASONS } from '../request/request-form.ts';

export const SETTINGS_TITLE = 'Settings';

/** The most reasons to choose from: Slack would show 100, but nobody reads that many. */
const MOST_REASONS_OFFERED = 20;

const HIGHEST = HIGHEST_LIMIT.toLocaleString('en');

const TEMPLATE: Record<TemplateProblem, string> = {
  not_an_address: `This is not an address. An address begins with https:// and has at most ${ADDRESS_MAX} characters.`,
  not_https: TICKET.not_https,
  has_credentials: TICKET.has_credentials,
  no_id: 'Write {id} once in the path of the address, where the id stands.',
};

/** A pattern or an address without the invisible characters that people paste along: no id and no link would fit it. */
const pasted = (typed: string): string => withWordsPrintable(typed).trim();

/** The field for the template of an address, in which `{id}` stands for the id. */
const address = (id: string, noun: string, example: string) =>
  text(id, {
    label: `Address of an ${noun}`,
    hint: `Write {id} in place of the id, as in ${example}. Ids link there, except in channels shared with another company.`,
    placeholder: example,
    optional: true,
    max: ADDRESS_MAX,
    wrong(typed) {
      const problem = typed === '' ? undefined : templateProblem(pasted(typed));
      return problem && TEMPLATE[problem];
    },
  });

/** Settings that have a form of their own (customer-texts.ts). */
type OfOwnForm = CustomerReply | 'reasonsForCustomers';

export const SETTINGS_FORM = form(
  CALLBACKS.settings,
  {
    requesters: searched(ACTIONS.requesters, {
      label: 'Who may request',
      hint: 'Leave this empty to allow all full members. Guests never may.',
      placeholder: 'All full members, or a user group',
      optional: true,
    }),
    // In an organization: the user group that administers the workspace.
    admins: sometimes(
      searched(ACTIONS.admins, {
        label: 'Admins besides those of the organization',
        hint: 'Members of this user group can do everything that admins can, except change this. Choose one that only admins can edit.',
        placeholder: 'Nobody, or a user group',
        optional: true,
      }),
    ),
    requestsPerHour: text('requests_per_hour', {
      label: 'Requests that one person may make within an hour',
      hint: `From 1 to ${HIGHEST}, of all kinds together. Leave this empty for no limit. Admins are told when somebody reaches the limit.`,
      optional: true,
      max: 6,
      wrong(typed) {
        const limit = readLimit(typed);
        const isRight = limit === 'unlimited' || (limit >= 1 && limit <= HIGHEST_LIMIT);
        return isRight
          ? undefined
          : `Write a whole number from 1 to ${HIGHEST}, or leave this empty for no limit.`;
      },
    }),
    notificationsChannel: channel('notifications', {
      label: 'Notifications channel',
      hint: 'I post there who changed the settings or paused sending, and events of the order service that match no request.',
      optional: true,
      include: ['public', 'private'],
    }),
    reasons: text('reasons', {
      label: 'Reasons to choose from',
      hint: 'One per line. Agents can always write their own. Leave this empty to offer the usual ones.',
      optional: true,
      multiline: true,
      wrong(typed) {
        const reasons = readLines(typed);
        const long = reasons.find((reason) => reason.length > LIMITS.optionText);
        if (long) return `A reason has at most ${LIMITS.optionText} characters, and “${long}” has more.`;
        return reasons.length > MOST_REASONS_OFFERED
          ? `At most ${MOST_REASONS_OFFERED} reasons can be offered.`
          : undefined;
      },
    }),
    orderIdPattern: text('order_id_pattern', {
      label: 'What an order id looks like',
      hint: '# is a digit, @ a letter, * anything: A-#### matches A-1001. Leave this empty to accept any id.',
      optional: true,
      max: PATTERN_MAX,
      wrong(typed) {
        const pattern = pasted(typed);
        if (/^\*+$/.test(pattern)) return 'Every word matches this. Leave this empty to accept any id.';
        // Several patterns, as people list them: no id matches that.
        if (/[\s,]/.test(pattern))
          return 'Write one pattern, without spaces and commas. * stands for whatever differs.';
        if (pattern === '') return undefined;
        if (!/[#@*]/.test(pattern))
          return 'Only one id matches this. Write # for a digit, @ for a letter, * for anything.';
        return matchesNoId(pattern)
          ? 'No id can match this. Leave out slashes, and the punctuation, quotes and brackets around the id.'
          : undefined;
      },
    }),
    // Not a setting: what "Try it" looks for ids in.
    sample: text('sample', {
      label: 'A text to try this on',
      hint: 'Paste a message of a customer. The text is not saved.',
      optional: true,
      multiline: true,
      max: 2_000,
    }),
    orderAddress: address('order_address', 'order', 'https://shop.example.com/orders/{id}'),
    offerAddress: address('offer_address', 'offer', 'https://shop.example.com/offers/{id}'),
    ticketHosts: text('ticket_hosts', {
      label: 'Hosts of ticket links',
      hint: 'One per line, such as desk.example.com. Requests then have a field for the link of a ticket on one of these. Leave this empty for none.',
      optional: true,
      multiline: true,
      wrong(typed) {
        const hosts = readLines(typed);
        const other = hosts.find((each) => hostOf(each) === undefined);
        if (other !== undefined)
          return `“${other}” is not a host name. Write only the name, such as desk.example.com.`;
        return hosts.length > HOSTS_MAX ? `At most ${HOSTS_MAX} hosts can be listed.` : undefined;
      },
    }),
    sharedChannels: tick('shared_channels', {
      label: 'Channels that are shared with another company',
      hint: 'Even there, only members of this workspace can request, approve and decide.',
      option: [
        'Requests may be posted there',
        'The other company sees the request and its outcome, but no reasons.',
      ],
    }),
  } satisfies Record<Exclude<SettingName, OfOwnForm> | 'sample', unknown>,
  // The version of the settings that the form shows.
  asJson(z.object({ shown: z.number().optional() })),
);

/** @param metadata of the settings as they are shown @throws if it is not that of this form: a fault */
export const versionIn = (metadata: string): ShownVersion => SETTINGS_FORM.readAbout(metadata).shown;

/**
 * The metadata that a form on top of the settings keeps to draw them anew. `beneath`: the version that the settings showed when
 * the form was opened. `hash`: of their view.
 */
export const ABOUT_BENEATH = { beneath: z.number().optional(), hash: z.string().optional() };

/** The version and the hash of the settings in which somebody clicked. @throws if it is not this form: a fault */
export const beneath = ({ view }: Pick<ActionArgs['body'], 'view'>) => ({
  beneath: versionIn(view?.private_metadata ?? ''),
  hash: view?.hash,
});

/**
 * Reads the settings, the version that was shown, the text to try the pattern on, and the mistakes, each at its field.
 * Settings with mistakes must not be saved.
 *
 * @throws if the view is not this form: a fault
 */
export function readSettings(view: FilledIn) {
  const { values, about } = SETTINGS_FORM.read(view);
  const { requesters, admins, notificationsChannel, orderIdPattern, sharedChannels } = values;
  const { orderAddress, offerAddress } = values;
  const hosts = readLines(values.ticketHosts).flatMap((each) => hostOf(each) ?? []);
  const reasons = readLines(values.reasons);
  const usual = reasons.length === 0 || reasons.join('\n') === USUAL_REASONS.join('\n');
  const limit = readLimit(values.requestsPerHour);
  const settings: GeneralSettings = {
    requesters,
    ...(isShown(view, SETTINGS_FORM.fields.admins.id) ? { admins } : {}),
    notificationsChannel,
    reasons: usual ? undefined : reasons,
    orderIdPattern: pasted(orderIdPattern) || undefined,
    orderAddress: pasted(orderAddress) || undefined,
    offerAddress: pasted(offerAddress) || undefined,
    ticketHosts: hosts.length > 0 ? [...new Set(hosts)] : undefined,
    sharedChannels: sharedChannels || undefined,
    requestsPerHour: limit === USUAL_LIMIT ? undefined : limit,
    // `admins` is there only if its field is shown.
  } satisfies Record<Exclude<SettingName, OfOwnForm | 'admins'>, unknown>;
  return { settings, shown: about.shown, sample: values.sample, errors: SETTINGS_FORM.mistakes(values) };
}

/** The lines with something visible, each once. */
export const readLines = (typed: string): string[] => [
  ...new Set(
    typed
      .split('\n')
      .filter((line) => !isBlank(line))
      .map((line) => line.trim()),
  ),
];

/** The typed limit: NaN if it is no whole number, so that it is refused. A comma separates thousands. */
function readLimit(typed: string): NonNullable<Settings['requestsPerHour']> {
  if (typed === '') return 'unlimited';
  const isNumber = /^(?:\d{1,3}(?:,\d{3})*|\d+)$/.test(typed);
  return isNumber ? Number(typed.replaceAll(',', '')) : Number.NaN;
}

const SETTINGS_CONFLICT =
  'The settings have changed since you opened them, so nothing was saved. Close them and open them again.';

/** Tells of a conflict at the field of each setting that the form would have changed. */
export const conflictTexts = (names: readonly SettingName[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, SETTINGS_CONFLICT]));
