/**
 * Registers the ways to make a request: commands, shortcuts, and the button "Request again". The form opens at once, and is
 * drawn anew when more is known.
 */
import { z } from 'zod';
import { MISPLACED } from '../../../outbox/delivery.ts';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Settings } from '../../../requests/model/settings.ts';
import { idMeant, idsInMessage } from '../../../requests/use-cases/addresses.ts';
import { trimmedId } from '../../../requests/use-cases/input.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import type { ChannelProblem } from '../../../requests/use-cases/who-may.ts';
import { ACTIONS, messageCallback, requestCallback } from '../../blocks/ids.ts';
import { lacksScope } from '../../client/call-slack.ts';
import { originIn } from '../../client/links.ts';
import type { CommandArgs, Feature, Listener, ListenerDeps, ShortcutArgs } from '../../listeners/listener.ts';
import {
  byClick,
  byCommand,
  type Click,
  type Filling,
  type ModalAboutRequest,
  type Opener,
  openModal,
  requestFormAction,
} from '../../listeners/modals.ts';
import { overLimitText } from '../../messages/sentences/form-texts.ts';
import { barrierSentence } from '../../messages/sentences/problems.ts';
import { KIND_COPY } from '../../messages/sentences/request-words.ts';
import { manualResultText } from '../../messages/sentences/result-texts.ts';
import { whyNotNow } from '../../messages/sentences/sentences.ts';
import { placeRefused } from '../../messages/sentences/waiting-or-ended-texts.ts';
import { type Prefilled, requestModal } from './request-modal.ts';
import { requestFilledInAction, requestSubmission } from './submission.ts';

export const request: Feature = (deps) => {
  const filledIn = requestFilledInAction(deps);
  return {
    commands: Object.fromEntries(
      KIND_NAMES.map((kind) => {
        const { command, help } = KIND_COPY[kind];
        const run = (args: CommandArgs, text: string) => openByCommand(kind, deps, args, text);
        return [command, { ...help, run }];
      }),
    ),
    shortcuts: Object.fromEntries(
      KIND_NAMES.flatMap((kind) => [
        [kind, newRequest(kind, deps)],
        [messageCallback(kind), messageShortcut(kind, deps)],
      ]),
    ),
    views: Object.fromEntries(
      KIND_NAMES.map((kind) => [requestCallback(kind), requestSubmission(kind, deps)]),
    ),
    actions: {
      [ACTIONS.channel]: filledIn,
      [ACTIONS.target]: filledIn,
      [ACTIONS.targetChoice]: filledIn,
      [ACTIONS.requestAgain]: requestFormAction(deps, REQUEST_AGAIN),
    },
  };
};

/** Opens the form as the command without arguments does: from Slack's menu of shortcuts, or by a button. */
export function newRequest(
  kind: Kind,
  deps: ListenerDeps,
): Listener<Click & { ack: (answer?: never) => Promise<void> }> {
  return async (args) => {
    await args.ack();
    await openRequest(deps, byClick(args), { kind });
  };
}

/**
 * A message as Slack gives it with its shortcut
 * (https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload).
 */
const OnMessage = z.object({
  team: z.object({ domain: z.string() }).nullish(),
  channel: z.object({ id: z.string() }),
  message: z.looseObject({ ts: z.string(), thread_ts: z.string().optional(), text: z.string().optional() }),
});

/**
 * Opens the form from the menu of a message, with the id that the message names. The card goes to its thread. The text of the
 * message is neither stored nor logged.
 */
function messageShortcut(kind: Kind, deps: ListenerDeps): Listener<ShortcutArgs> {
  return async (args) => {
    await args.ack();
    const { team, channel, message } = OnMessage.parse(args.body);
    const { ts, thread_ts: thread = ts, text, attachments, blocks } = message;
    const origin = originIn(team?.domain, { channel: channel.id, ts, thread });
    await openRequest(deps, byClick(args), {
      kind,
      channel: channel.id,
      known: { target: '', reason: '', origin },
      // Help desks post their texts in attachments and blocks.
      text: textsIn({ text, attachments, blocks }).join('\n'),
    });
  };
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(
  'text fallback title value pretext title_link url'.split(' '),
);

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (TEXT_FIELDS.has(name) ? [inner] : []) : textsIn(inner),
  );
}

/** @param text `[order] [reason]`: the first word is the id, the rest the reason */
function openByCommand(kind: Kind, deps: ListenerDeps, args: CommandArgs, text: string): Promise<void> {
  const [, target = '', reason = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  const known = { target: trimmedId(target), reason };
  return openRequest(deps, byCommand(args), { kind, channel: args.command.channel_id, known });
}

/** `channel`: where the person is, if Slack told it. `text`: that of the message from which the form is opened. */
type Wanted = { kind: Kind; channel?: string | undefined; known?: Prefilled; text?: string };

/**
 * Opens the form. If its id has to be looked for, the form is shown only after that: when a view is updated, Slack keeps what an
 * input holds, so an empty field would stay empty (https://docs.slack.dev/surfaces/modals#updating_views).
 */
export async function openRequest(
  deps: ListenerDeps,
  opener: Opener,
  { known = { target: '', reason: '' }, ...wanted }: Wanted,
): Promise<void> {
  const { kind, text } = wanted;
  // The id is looked for in the text of a message, and in an address that was pasted in place of the id.
  const isKnown = text === undefined && !known.target.includes('/');
  const frame = {
    title: KIND_COPY[kind].title,
    meanwhile: text === undefined ? 'Opening the form…' : 'Reading the message…',
    ...(isKnown && { first: requestModal(kind, known) }),
  };
  const who = { workspace: opener.workspace, requester: opener.user };
  await openModal(deps, opener, frame, () => filledForm(deps, { ...wanted, known, who }));
}

type WantedForm = Wanted & { known: Prefilled; who: { workspace: string; requester: string } };

/**
 * The form with the ids of the message, the reasons of the workspace and notes about the channel or the limit of requests. If
 * this person can't make a request, it is the reason for that, so that nobody fills in the form in vain. The submission checks
 * all of it again.
 */
async function filledForm(deps: ListenerDeps, wanted: WantedForm): Promise<Filling> {
  const { kind, who, known } = wanted;
  try {
    const settings = await deps.settings(who.workspace);
    const [barrier, sharing, usage, problem] = await Promise.all([
      deps.checkRequester({ ...who, kind, settings }),
      sharingHere(deps, wanted, settings),
      deps.usageBy({ ...who, settings }),
      cardPlaceProblem(deps, { ...who, settings }, known),
    ]);
    if (barrier) return { refused: barrierSentence(barrier) };
    if (usage?.again !== undefined) return { refused: overLimitText(usage, 'no further one can be made') };
    // The channel of an earlier request stays chosen even if it is shared by now: if it were left out, Slack would choose it all
    // the same, as the channel of the button.
    const keepsPlace = !problem || (problem === 'shared' && !known.origin);
    const elsewhere = known.origin ? { noReply: problem } : { channel: undefined };
    const found = { ...known, ...(!keepsPlace && elsewhere), ...idsOf(wanted, settings) };
    return requestModal(kind, found, { settings, usage, ...(keepsPlace && { sharing }) });
  } catch (error) {
    deps.log.warn({ err: error, workspace: who.workspace }, 'request form opened unchecked');
    return requestModal(kind, known);
  }
}

/** The id that was given, the only id in the message, or the ids of the message to choose from. */
function idsOf({ kind, known, text }: WantedForm, settings: Settings): Partial<Prefilled> {
  if (text === undefined) return { target: idMeant(kind, known.target, settings) };
  const ids = idsInMessage(kind, text, settings);
  const [target = ''] = ids;
  return ids.length > 1 ? { ids } : { target };
}

/**
 * The reason why the card can't be posted in the thread of the message, or in the channel that was given. Direct messages, of two
 * people or of a group, take no card, and the bot can't look them up.
 */
async function cardPlaceProblem(
  { checkPlace }: ListenerDeps,
  who: Parameters<ListenerDeps['checkPlace']>[0],
  { origin, channel }: Prefilled,
): Promise<ChannelProblem | undefined> {
  const place = origin?.channel ?? channel;
  if (place === undefined) return undefined;
  if (!isChannel(place)) return 'missing';
  return checkPlace(who, place).catch((error) => {
    if (lacksScope(error)) return 'not_visible';
    throw error;
  });
}

async function sharingHere(
  { sharingOf, log }: ListenerDeps,
  { who: { workspace }, channel = '' }: WantedForm,
  settings: Settings,
): Promise<Sharing> {
  if (!isChannel(channel)) return 'none';
  return sharingOf({ workspace, channel, settings }).catch((error) => {
    log.warn({ err: error, workspace }, 'sharing of the channel unknown: not shown in the form');
    return 'none';
  });
}

/** Whether a conversation is a channel: direct messages can be neither chosen nor looked up. */
const isChannel = (id: string): boolean => /^[CG]/.test(id);

/**
 * The form of a new request with the order or offer, the reason and the place of an earlier one. Its submission is that of any
 * new request: rights, slot and approval are checked as if there had been no other.
 */
export const REQUEST_AGAIN: ModalAboutRequest = {
  title: 'Request again',
  async fill(deps, { who, domain }) {
    const found = await deps.readToRequestAgain(who);
    if (found.type === 'not_offered') return { refused: notOfferedText(found.record) };
    if (found.type !== 'offered') return { refused: manualResultText(found) };
    const { kind, target, reason, channel, ticket } = found.record;
    return filledForm(deps, {
      kind,
      channel,
      who: { workspace: who.workspace, requester: who.by },
      known: { target, reason, ...placeOf(found.record, domain), ...(ticket && { ticket }) },
    });
  },
};

/**
 * The place of an earlier request: the parent of its thread counts as the message that the new one is made from, unless Slack
 * takes no card there.
 */
function placeOf(record: RequestRecord, domain: string | undefined): Partial<Prefilled> {
  const { channel, thread, message } = record;
  if (thread === undefined) return { channel, ...(message && { message }) };
  const origin = originIn(domain, { channel, ts: thread, thread });
  const refused = placeRefused(record);
  if (refused === undefined) return { origin };
  return refused === MISPLACED ? { channel } : { channel, message: origin.link };
}

/** Tells a person who pressed "Request again" that the request has moved on since they saw it. */
export const notOfferedText = (record: RequestRecord): string =>
  `There is nothing to request again, because ${whyNotNow(record)}.`;
