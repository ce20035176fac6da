/**
 * Opens the form of a request at once, and replaces it when more is known: by command, by shortcut, by a button, or from a
 * former request.
 */
import type { webApi } from '@slack/bolt';
import type { Kind } from '../../../requests/model/kinds.ts';
import type { RequestRecord } from '../../../requests/model/record.ts';
import type { Settings } from '../../../requests/ports/ports.ts';
import { idMeant, idsInMessage } from '../../../requests/use-cases/addresses.ts';
import { trimmedId } from '../../../requests/use-cases/input.ts';
import type { Sharing } from '../../../requests/use-cases/sharing.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { barrierSentence, overLimitText } from '../../blocks/problems.ts';
import { linkTo, originOf } from '../../client/links.ts';
import { whyNotNow } from '../../messages/sentences/state-copy.ts';
import {
  type ActionArgs,
  type CommandArgs,
  clickOn,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from '../listener.ts';
import { manualResultText } from '../resolve/result-text.ts';
import { type Filling, isOnHome, openModal } from '../views.ts';
import { type Prefilled, requestModal } from './request-form.ts';

export function requestCommand(kind: Kind, deps: ListenerDeps): Listener<CommandArgs> {
  return async ({ ack, command, client, context }) => {
    const who = { workspace: workspaceOf(context), requester: command.user_id, channel: command.channel_id };
    const opening = { kind, who, known: parseArguments(command.text), ack };
    await openRequest(deps, client, command.trigger_id, opening);
  };
}

/** `channel`: where the person is, if Slack told. `text`: of the message that names the order or offer. */
export type Opening = {
  kind: Kind;
  who: { workspace: string; requester: string; channel: string | undefined };
  known: Prefilled;
  text?: string;
  /** Whether it is opened on the person's own page. */
  onHome?: boolean;
  /** Acknowledges the command that opens it. */
  ack?: CommandArgs['ack'];
};

/**
 * Opens the form. From a message, its ids are looked for before it is shown: Slack keeps what an input holds when a view is
 * updated, and what it holds is empty then (https://docs.slack.dev/surfaces/modals#updating_views).
 */
export async function openRequest(
  deps: ListenerDeps,
  client: webApi.WebClient,
  triggerId: string,
  opening: Opening,
): Promise<void> {
  const { kind, known, text, onHome = false, ack } = opening;
  const { title } = KIND_COPY[kind];
  // An id that is pasted as an address is looked for, too.
  const isKnown = text === undefined && !known.target.includes('/');
  const first = isKnown ? { first: requestModal(kind, known) } : {};
  const how = {
    title,
    meanwhile: text === undefined ? 'Opening the form…' : 'Reading the message…',
    ...first,
    onHome,
    ...(ack && { ack }),
  };
  await openModal(deps, { client, triggerId, ...how }, () => filledForm(deps, opening));
}

/**
 * The form with the ids of the message, the reasons of the workspace and notes about the channel or the limit of requests, or
 * the reason why this person can't make any, so that nobody fills it in in vain. The submission checks all of it again.
 */
async function filledForm(deps: ListenerDeps, opening: Opening): Promise<Filling> {
  const { checkRequester, settings, usageBy, log } = deps;
  const { kind, who, known } = opening;
  try {
    const stored = await settings(who.workspace);
    const [barrier, sharing, usage, noReply, channel] = await Promise.all([
      checkRequester({ ...who, kind, settings: stored }),
      sharingHere(deps, opening, stored),
      usageBy({ ...who, settings: stored }),
      noReplyIn(deps, opening, stored),
      usableChannel(deps, opening, stored),
    ]);
    if (barrier) return { refused: barrierSentence(barrier) };
    if (usage?.again !== undefined) return { refused: overLimitText(usage, 'no further one can be made') };
    const { reasons } = stored;
    const found = { ...known, channel, ...(noReply && { noReply }), ...idsOf(opening, stored) };
    return requestModal(kind, found, { reasons, sharing, usage, addresses: stored });
  } catch (error) {
    log.warn({ err: error, workspace: who.workspace }, 'request form not updated');
    return requestModal(kind, known);
  }
}

/** The id that was given, the only one in the message, or those to choose from. */
function idsOf({ kind, known, text }: Opening, settings: Settings): Partial<Prefilled> {
  if (text === undefined || known.target !== '') return { target: idMeant(kind, known.target, settings) };
  const ids = idsInMessage(kind, text, settings);
  const [target = ''] = ids;
  return ids.length > 1 ? { ids } : { target };
}

/** Checks whether the card can be posted in the thread of the message. Direct messages can't be looked up. */
async function noReplyIn({ checkPlace }: ListenerDeps, { who, known }: Opening, settings: Settings) {
  const { origin } = known;
  if (!origin) return undefined;
  return isChannel(origin.channel) ? checkPlace({ ...who, settings }, origin.channel) : 'missing';
}

/** The channel to fill in, if the person's card can be posted there. */
async function usableChannel({ checkPlace }: ListenerDeps, { who, known }: Opening, settings: Settings) {
  const { channel } = known;
  if (channel === undefined || (await checkPlace({ ...who, settings }, channel))) return undefined;
  return channel;
}

/** Looks up the channel where the person is. */
async function sharingHere(
  { sharingOf, log }: ListenerDeps,
  { who: { workspace, channel = '' } }: Opening,
  settings: Settings,
): Promise<Sharing> {
  if (!isChannel(channel)) return 'none';
  return sharingOf({ workspace, channel, settings }).catch((error) => {
    log.warn({ err: error, workspace }, 'sharing of the channel unknown: not shown in the form');
    return 'none';
  });
}

/** Direct messages can be neither chosen nor looked up. */
const isChannel = (id: string): boolean => /^[CG]/.test(id);

/** `[order] [reason]`: the first word is the id, the rest the reason. */
function parseArguments(text = ''): Prefilled {
  const [, target = '', reason = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  return { target: trimmedId(target), reason };
}

export const AGAIN_TITLE = 'Request again';

/** The button "Request again": of a card, of a direct message about it, or on a person's own page. */
export function requestAgainAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async ({ ack, action, body, client, context }) => {
    await ack();
    const who = { workspace: workspaceOf(context), id: clickOn(action).ref.id, by: body.user.id };
    const meanwhile = 'Loading the request…';
    const opening = {
      client,
      triggerId: body.trigger_id,
      title: AGAIN_TITLE,
      meanwhile,
      onHome: isOnHome(body),
    };
    await openModal(deps, opening, () => formAgain(deps, who, body.team?.domain));
  };
}

/**
 * The form of a new request with the order or offer, the reason and the place of an earlier one, or why there is none for this
 * person. Its submission is that of any new request: rights, slot and approval are checked as if there had been no other.
 *
 * @param domain of the workspace, as Slack names it in what the person did
 */
export async function formAgain(
  deps: ListenerDeps,
  who: { workspace: string; id: string; by: string },
  domain: string | undefined,
): Promise<Filling> {
  const found = await deps.toRequestAgain(who);
  if (found.type === 'not_offered') return { refused: notOfferedText(found.record) };
  if (found.type !== 'offered') return { refused: manualResultText(found, undefined) };
  const { kind, target, reason, channel, thread, message, ticket } = found.record;
  const place = thread === undefined ? { channel } : { origin: originIn(domain, { channel, thread }) };
  return filledForm(deps, {
    kind,
    who: { workspace: who.workspace, requester: who.by, channel },
    known: { target, reason, ...place, ...(message && { message }), ...(ticket && { ticket }) },
  });
}

/** Tells a person who wants to request the same again that the request has moved on since they saw it. */
export const notOfferedText = (record: RequestRecord): string =>
  `There is nothing to request again, because ${whyNotNow(record)}.`;

/** The thread in which the card was, whose parent stands for the message that the request was made from. */
function originIn(domain: string | undefined, { channel, thread }: { channel: string; thread: string }) {
  return { channel, thread, link: linkTo(originOf(domain), { channel, ts: thread, thread }) };
}
