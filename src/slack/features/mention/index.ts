/**
 * Answers a person who mentions the bot in a channel, or writes to it directly: with a button that opens the form, or with help.
 * The text is read for a command and an id, and is neither stored nor logged.
 */
import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import { createCache } from '../../../cache.ts';
import { parseJson } from '../../../json.ts';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { idMeant } from '../../../requests/use-cases/addresses.ts';
import { personProblem } from '../../../requests/use-cases/who-may.ts';
import { button, buttonRow } from '../../blocks/forms.ts';
import { ACTIONS, COMMANDS, EVENTS } from '../../blocks/ids.ts';
import { capital, KIND_COPY } from '../../blocks/kind-copy.ts';
import { personSentence } from '../../blocks/problems.ts';
import { code, escaped, type Message, section, textMessage, truncate } from '../../blocks/text.ts';
import {
  type ActionArgs,
  buttonValue,
  type EventArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from '../listener.ts';
import { openRequest, originIn } from '../request/index.ts';
import { byClick } from '../views.ts';
import { type Asked, parseMention } from './parse-mention.ts';

export const mention: Feature = (deps) => {
  const answer = answerOnce(deps);
  return {
    events: { [EVENTS.appMention]: answer, [EVENTS.message]: answer },
    actions: { [ACTIONS.openRequest]: openRequestAction(deps) },
  };
};

/**
 * A message that a person wrote: no bot, and not the bot's own answer
 * (https://docs.slack.dev/reference/events/message).
 */
const Written = z.object({
  user: z.string(),
  text: z.string(),
  channel: z.string(),
  channel_type: z.string().optional(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  bot_id: z.undefined().optional(),
  // Messages of other kinds (joined, changed, deleted) ask for nothing.
  subtype: z.enum(['file_share', 'thread_broadcast']).optional(),
});
type Written = z.infer<typeof Written>;

const MOST_ANSWERS_REMEMBERED = 10_000;
/** The time in which a person reads the help at most once. */
const HELP_EVERY_MS = 60_000;

/**
 * Answers each message once. A redelivered event is not answered: whether the first delivery was answered is not known, and the
 * person could read two answers. They can always write again.
 */
function answerOnce(deps: ListenerDeps): Listener<EventArgs<'app_mention' | 'message'>> {
  const answered = createCache<true>(MOST_ANSWERS_REMEMBERED);
  const helped = createCache<true>(MOST_ANSWERS_REMEMBERED, { ttlMs: HELP_EVERY_MS, now: deps.monotonic });
  return async ({ event, client, context }) => {
    const written = Written.safeParse(event).data;
    const workspace = workspaceOf(context);
    if (!written || context.retryNum !== undefined) return;
    const { user, channel, ts } = written;
    if (!isFirst(answered, `${workspace} ${channel} ${ts}`)) return;
    const said = await answerTo(deps, workspace, written, () => isFirst(helped, `${workspace} ${user}`));
    if (!said) return;
    await tell(client, written, said).catch((error) =>
      deps.log.warn({ err: error, workspace, user }, 'mention not answered'),
    );
  };
}

function isFirst(seen: ReturnType<typeof createCache<true>>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.set(key, true);
  return true;
}

/** @returns undefined for bots and people of another company, who get no answer, and for a person who has just read the help */
async function answerTo(
  { directory, settings }: ListenerDeps,
  workspace: string,
  written: Written,
  isHelpDue: () => boolean,
): Promise<Message | undefined> {
  const problem = personProblem(await directory.person(workspace, written.user));
  if (problem === 'external_user' || problem === 'bot') return undefined;
  const asked = problem ? undefined : parseMention(written.text);
  if (asked) {
    const target = idMeant(asked.kind, asked.target, await settings(workspace));
    return offer({ ...asked, target }, placeOf(written));
  }
  if (!isHelpDue()) return undefined;
  return problem ? textMessage(personSentence(problem)) : HELP;
}

function placeOf(written: Written): Place | undefined {
  const { channel, ts, thread_ts: thread = ts } = written;
  return isDirect(written) ? undefined : { channel, ts, thread };
}

const isDirect = ({ channel_type }: Written): boolean => channel_type === 'im';

/** Answers where the person wrote, in the thread if they wrote in one. In a channel, only they see the answer. */
async function tell(client: webApi.WebClient, written: Written, said: Message): Promise<void> {
  const { user, channel, thread_ts } = written;
  const place = { channel, ...(thread_ts === undefined ? {} : { thread_ts }) };
  if (isDirect(written)) await client.chat.postMessage({ ...place, ...said });
  else await client.chat.postEphemeral({ ...place, user, ...said });
}

function openRequestAction(deps: ListenerDeps): Listener<ActionArgs> {
  return async (args) => {
    const { ack, action, body } = args;
    await ack();
    const { kind, target, place } = Offered.parse(parseJson(buttonValue(action)));
    const origin = place && { origin: originIn(body.team?.domain, place) };
    const known = { target, reason: '', ...origin };
    await openRequest(deps, byClick(args), { kind, channel: place?.channel, known });
  };
}

export const HELP: Message = textMessage(
  [
    `Write ${KIND_NAMES.map((kind) => `“${KIND_COPY[kind].verb}”`).join(', ')} and an id, and I give you a button that opens the form.`,
    `You can also use ${KIND_NAMES.map((kind) => code(KIND_COPY[kind].command)).join(', ')}, or the menu of a message. ${code(`${COMMANDS.countermand} help`)} lists everything.`,
  ].join(' '),
);

/** A message in a channel, in whose thread the request is answered. */
const Place = z.object({ channel: z.string(), ts: z.string(), thread: z.string() });
type Place = z.infer<typeof Place>;

/** The value of the button. */
const Offered = z.object({ kind: z.enum(KIND_NAMES), target: z.string(), place: Place.optional() });

/** The characters of an id that the offer shows. */
const SHOWN_MAX = 75;

/** Offers a button that opens the form. @param place of the message; undefined: a direct message */
export function offer({ kind, target }: Asked, place: Place | undefined): Message {
  const value = JSON.stringify({ kind, target, place } satisfies z.infer<typeof Offered>);
  const asked = `${KIND_COPY[kind].verb}${target === '' ? '' : ` ${truncate(target, SHOWN_MAX)}`}`;
  const text = `Press the button to ${escaped(asked)}. Nothing is sent before you confirm it in the form.`;
  const open = button(ACTIONS.openRequest, `${capital(KIND_COPY[kind].verb)}…`, { value, style: 'primary' });
  return { text, blocks: [section(text), ...buttonRow([open])] };
}
