/**
 * The words for what admins have set, in one place: the settings, the Home tab with its latest acts and the notifications channel
 * say the same.
 */
import { CUSTOMER_REPLIES, KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import { isSamePolicy, Policy } from '../../../requests/model/policy.ts';
import { limitOf } from '../../../requests/model/recent.ts';
import {
  GENERAL_SETTINGS,
  readSetting,
  type SettingName,
  type Settings,
} from '../../../requests/model/settings.ts';
import { policySetting } from '../../../workspaces/settings-record.ts';
import { code, countOf, escaped, listed, truncate } from '../../blocks/text.ts';
import { approversText, MENTIONED, type Naming } from './approval-texts.ts';
import { KIND_COPY } from './request-words.ts';

const HOUR = 3_600_000;
/** The times that admins can choose for an approval, in milliseconds, and their words. */
export const EXPIRES: ReadonlyMap<number, string> = new Map([
  [HOUR / 4, '15 minutes'],
  [HOUR, '1 hour'],
  [4 * HOUR, '4 hours'],
  [8 * HOUR, '8 hours'],
  [24 * HOUR, '1 day'],
  [72 * HOUR, '3 days'],
  [168 * HOUR, '1 week'],
]);

/** Describes a policy after the name of its kind of request: "needs 1 approval by @ana …". */
export function policyText(policy: Policy | undefined, naming: Naming = MENTIONED): string {
  if (!policy) return 'needs no approval';
  const { quorum, channel, shownIn, emoji, expiresAfterMs } = policy;
  const where = shownIn === 'approvals_channel' ? `, requested in <#${channel}>` : '';
  const expire = EXPIRES.get(expiresAfterMs) ?? `${Math.round(expiresAfterMs / 60_000)} minutes`;
  return `needs ${countOf(quorum, 'approval')} by ${approversText(policy, naming)}${where} (:${emoji.yes}: or :${emoji.no}:), within ${expire}`;
}

/** Describes the options of a policy, which are told only where they change. */
function optionsText(policy: Policy | undefined): string {
  if (!policy) return '';
  const reminder = policy.reminds ? 'a reminder' : 'no reminder';
  return ` (${reminder}; ${policy.mayWithdraw ? 'the requester may withdraw' : 'only admins may withdraw'})`;
}

/** The title and the value of each setting: "Who may request: all full members". */
const WORDS: {
  [Name in SettingName]: [title: string, value: (value: Settings[Name], naming: Naming) => string];
} = {
  requesters: [
    'Who may request',
    (group, { group: name }) => (group === undefined ? 'all full members' : name(group)),
  ],
  admins: [
    'Admins besides those of the organization',
    (group, { group: name }) => (group === undefined ? 'nobody' : name(group)),
  ],
  requestsPerHour: [
    'Requests of one person within an hour',
    (requestsPerHour) => {
      const limit = limitOf({ requestsPerHour });
      return limit === undefined ? 'no limit' : `at most ${limit.toLocaleString('en')}`;
    },
  ],
  notificationsChannel: [
    'Notifications channel',
    (channel) => (channel === undefined ? 'none' : `<#${channel}>`),
  ],
  reasons: ['Reasons', reasonsText],
  orderIdPattern: ['Order ids', (pattern) => (pattern === undefined ? 'any' : code(pattern))],
  orderAddress: ['Address of an order', addressText],
  offerAddress: ['Address of an offer', addressText],
  ticketHosts: [
    'Hosts of ticket links',
    (hosts = []) => (hosts.length === 0 ? 'none' : firstFew(hosts.map(code))),
  ],
  replyOrderCanceled: ['Reply when an order is cancelled', replyText],
  replyOrderInReview: ['Reply when a cancellation is being reviewed', replyText],
  replyOrderNotCanceled: ['Reply when an order is not cancelled', replyText],
  replyOfferSent: ['Reply when an offer is sent', replyText],
  replyOfferCanceled: ['Reply when an offer is cancelled', replyText],
  reasonsForCustomers: ['Reasons, in words for customers', reasonsText],
  sharedChannels: [
    'Channels shared with another company',
    (allowed) => (allowed ? 'allowed' : 'not allowed'),
  ],
};

function reasonsText(reasons: readonly string[] | undefined): string {
  return reasons ? firstFew(reasons.map((each) => `“${escaped(each)}”`)) : 'the usual ones';
}

const LONGEST_ADDRESS = 150;

function addressText(template: string | undefined): string {
  return template === undefined ? 'none' : code(truncate(template, LONGEST_ADDRESS));
}

const LONGEST_REPLY = 100;

function replyText(text: string | undefined): string {
  if (text === undefined) return 'the usual text';
  return `“${escaped(truncate(text.replaceAll('\n', ' '), LONGEST_REPLY))}”`;
}

const MOST_VALUES_LISTED = 5;

function firstFew(values: readonly string[]): string {
  const more = values.length - MOST_VALUES_LISTED;
  return more > 0 ? listed([...values.slice(0, MOST_VALUES_LISTED), `${more} more`]) : listed(values);
}

function valueText<Name extends SettingName>(name: Name, value: Settings[Name], naming: Naming): string {
  return WORDS[name][1](value, naming);
}

/** Settings that a list leaves out: the one that only an organization has, and the texts that only customers read. */
const SELDOM: readonly SettingName[] = ['admins', ...CUSTOMER_REPLIES, 'reasonsForCustomers'];

/** Lines about settings. @param names the settings; left out: all but `SELDOM` */
export function settingLines(
  settings: Settings,
  names: readonly SettingName[] = GENERAL_SETTINGS.filter((name) => !SELDOM.includes(name)),
): string[] {
  return names.map((name) => `${WORDS[name][0]}: ${valueText(name, settings[name], MENTIONED)}`);
}

export const policyLines = ({ policies }: Settings): string[] =>
  KIND_NAMES.map((kind) => `${KIND_COPY[kind].title}: ${policyText(policies?.[kind])}`);

type Change = { from?: unknown; to?: unknown };

/** "Order ids: any → A-####"; undefined if there is no such setting. @param setting as the audit trail names it */
export function changeText(
  setting: string,
  { from, to }: Change,
  naming: Naming = MENTIONED,
): string | undefined {
  const kind = KIND_NAMES.find((each) => setting === policySetting(each));
  if (kind) return policyChange(kind, { from, to }, naming);
  const name = GENERAL_SETTINGS.find((each) => each === setting);
  if (!name) return undefined;
  const [before, after] = [from, to].map((value) => valueText(name, readSetting(name, value), naming));
  return `${WORDS[name][0]}: ${before} → ${after}`;
}

/** Whether a policy is as it was, and only the admin has changed who is told if nobody can approve. */
export function isTakeover(change: Change | undefined): boolean {
  const [from, to] = policiesOf(change);
  return to !== undefined && isSamePolicy(from, to);
}

const policiesOf = (change?: Change) =>
  [change?.from, change?.to].map((value) => Policy.safeParse(value).data);

function policyChange(kind: Kind, change: Change, naming: Naming): string {
  const [from, to] = policiesOf(change);
  if (to && isTakeover(change))
    return `${KIND_COPY[kind].title}: ${naming.people([to.setBy])} is told from now on if nobody can approve`;
  const hasOtherOptions = from && to && optionsText(from) !== optionsText(to);
  const [before, after] = [from, to].map(
    (policy) => `${policyText(policy, naming)}${hasOtherOptions ? optionsText(policy) : ''}`,
  );
  return `${KIND_COPY[kind].title}: ${before} → ${after}`;
}
