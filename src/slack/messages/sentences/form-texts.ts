/**
 * The words of the form of a request around its fields: mistakes, warnings, notes, and the limit that a person has reached. Its
 * labels and hints are in features/request/request-form.ts, its title and button in requests/model/kinds.ts.
 */
import type { Usage } from '../../../requests/model/recent.ts';
import { ADDRESS_MAX, type TicketProblem } from '../../../requests/use-cases/addresses.ts';
import type { FieldProblems } from '../../../requests/use-cases/create-request.ts';
import {
  REASON_MAX,
  type ReasonProblem,
  TARGET_MAX,
  type TargetProblem,
} from '../../../requests/use-cases/input.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import type { ChannelProblem } from '../../../requests/use-cases/who-may.ts';
import { countOf, listed, time } from '../../blocks/text.ts';
import { SHARED } from './request-words.ts';

export const TARGET: Record<TargetProblem, string> = {
  missing: 'Type the id.',
  too_long: `An id has at most ${TARGET_MAX} characters.`,
  has_slash: 'An id cannot contain / or \\. Copy it from the order service.',
  unprintable: 'The id contains an invisible character. Type the id instead of pasting it.',
  not_an_id: 'This cannot be an id. Copy it from the order service.',
  not_the_pattern: 'This does not look like an order id.',
};

export const REASON: Record<ReasonProblem, string> = {
  missing: 'Write the reason: the order service requires one.',
  too_long: `The reason has more than ${REASON_MAX.toLocaleString('en')} characters in all. Shorten your own words.`,
};

export const CHANNEL: Record<ChannelProblem, string> = {
  not_theirs: 'You are not in this channel. Choose one that you are in.',
  missing: 'Choose a channel for the updates.',
  not_visible: 'I cannot see this channel. Invite me there with /invite @Countermand, or choose another one.',
  not_member:
    'I am not a member of this channel. Invite me there with /invite @Countermand, or choose another one.',
  shared: `This channel is ${SHARED}. Choose one of your own.`,
  archived: 'This channel is archived. Choose another one.',
};

function targetHelp(problem: TargetProblem, { pattern, meant }: FieldProblems): string {
  if (problem !== 'not_the_pattern' || !pattern) return TARGET[problem];
  if (meant !== undefined) {
    return `Did you mean ${meant}? Ids look like ${pattern} here, and upper and lower case matter.`;
  }
  const marks = Object.entries(MARKS).flatMap(([mark, meaning]) => (pattern.includes(mark) ? meaning : []));
  return `${TARGET[problem]} It should look like ${pattern}, with ${listed(marks)}.`;
}

/** The characters of a pattern that stand for others; each pattern has at least one. */
const MARKS = { '#': 'a digit for each #', '@': 'a letter for each @', '*': 'anything for *' };

/** The label of the submit button while a warning is shown. */
export const REQUEST_ANYWAY = 'Request anyway';

/** Says what is wrong in each field of the form of a request; undefined for a field without a mistake. */
export function fieldTexts(problems: FieldProblems) {
  const { target, reason, channel, ticket, hosts } = problems;
  return {
    target: target && targetHelp(target, problems),
    written: reason && REASON[reason],
    channel: channel && CHANNEL[channel],
    ticket: ticket && ticketHelp(ticket, hosts),
  };
}

export const TICKET: Record<Exclude<TicketProblem, 'other_host'>, string> = {
  not_an_address: 'This is not an address. Copy it from the address bar of your browser.',
  not_https: 'The address must begin with https://.',
  has_credentials: 'The address must not contain a user name or a password.',
  too_long: `An address has at most ${ADDRESS_MAX} characters, as a browser writes it.`,
};

function ticketHelp(problem: TicketProblem, hosts: readonly string[] = []): string {
  if (problem !== 'other_host') return TICKET[problem];
  return hosts.length === 0
    ? 'Tickets can no longer be linked, because an admin has removed their hosts. Empty this field.'
    : `Tickets can be linked only on ${listed(hosts)}.`;
}

export const NO_REPLY: Record<ChannelProblem, string> = {
  not_theirs: 'You are not in the channel of this message. Choose another channel.',
  missing: 'This message is not in a channel. Choose a channel.',
  not_visible:
    'I cannot see the conversation of this message. If it is a private channel, invite me there with /invite @Countermand, or choose another channel.',
  not_member:
    'I am not a member of the channel of this message. Invite me there with /invite @Countermand, or choose another channel.',
  shared: `The channel of this message is ${SHARED}. Choose another channel.`,
  archived: 'The channel of this message is archived. Choose another channel.',
};

/** Explains that a request can't be posted in the thread of the message that it is made from, and what is done about it. */
export const noReplyText = (problem: ChannelProblem): string =>
  `:warning: ${NO_REPLY[problem]} Your request will link to the message.`;

export const SETTINGS_CHANGED =
  'An admin changed the settings while this was being checked, so nothing was requested. Submit it again.';

const MINUTE_MS = 60_000;

const allowed = (limit: number): string =>
  limit === 1 ? '1 is allowed' : `${limit.toLocaleString('en')} are allowed`;

export const nearLimitText = ({ made, limit }: Usage): string =>
  `You have made ${countOf(made, 'request')} within an hour. At most ${allowed(limit)} here.`;

/** Says that a person has reached the limit. @param outcome of what they tried to do, as the end of a sentence */
export function overLimitText({ made, limit, again }: Usage, outcome: string): string {
  // Times are shown without seconds.
  const next = again === undefined ? '' : `${time(Math.ceil(again / MINUTE_MS) * MINUTE_MS)}, or `;
  const most = made > limit ? `and at most ${allowed(limit)} here` : 'the most allowed here';
  return (
    `You have made ${countOf(made, 'request')} within an hour, ${most}, so ${outcome}. ` +
    `The next one is possible ${next}once an admin has raised the limit with /countermand settings.`
  );
}

export const ID_TOO_LONG = `:warning: What you gave as the id is left out, because it is too long. ${TARGET.too_long} Type it below.`;

export const REASON_CUT = `:warning: Your reason has more than ${REASON_MAX.toLocaleString('en')} characters: the rest of it is left out below.`;

export const IN_THREAD = 'Your request and its outcome are posted in the thread of the message.';

export const SHARING: Record<Exclude<Sharing, 'none'>, string> = {
  allowed: `*This channel is ${SHARED}.* People of that company can then see your request and its outcome, but no reasons.`,
  refused: `*This channel is ${SHARED},* so your request cannot be posted there. Choose one of your own.`,
};
