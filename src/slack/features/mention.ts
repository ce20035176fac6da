/**
 * Answers a person who mentions the bot in a channel, or writes to it directly: with a button that opens the form, or with help.
 * The text is read for a command and an id, and is neither stored nor logged.
 */
import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import { parseJson } from '../../json.ts';
import { KIND_NAMES, type Kind } from '../../requests/model/kinds.ts';
import { idMeant } from '../../requests/use-cases/addresses.ts';
import { trimmedId } from '../../requests/use-cases/input.ts';
import { personProblem } from '../../requests/use-cases/who-may.ts';
import { button, buttonRow } from '../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import {
  code,
  escaped,
  type Message,
  section,
  textMessage,
  truncate,
  withoutEntities,
} from '../blocks/text.ts';
import { failureOf } from '../client/calls.ts';
import { originIn } from '../client/links.ts';
import { personSentence } from '../messages/sentences/problems.ts';
import { capital, KIND_COPY } from '../messages/sentences/request-words.ts';
import {
  type ActionArgs,
  buttonValue,
  type EventArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  workspaceOf,
} from './listener.ts';
import { openRequest } from './request/index.ts';
import { byClick } from './views.ts';

export const mention: Feature = (deps) => {
  const answer = answerOnce(deps);
  return {
    events: { app_mention: answer, message: answer },
    actions: { [ACTIONS.openRequest]: openRequestAction(deps) },
  };
};

/** A message that a person wrote, and no bot (https://docs.slack.dev/reference/events/message). */
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

type Mentioned = EventArgs<'app_mention' | 'message'>;

const MOST_ANSWERS_REMEMBERED = 10_000;
/** The time in which a person reads the help at most once. */
const HELP_EVERY_MS = 60_000;

/**
 * Answers each message once. A redelivered event is answered only if this process knows that the message has no answer:
 * otherwise the person could read two. They can always write again.
 */
function answerOnce(deps: ListenerDeps): Listener<Mentioned> {
  /** The last try for a message; `unanswered`: it has certainly no answer, and Slack delivers its event again. */
  const tries = createCache<Promise<void> | 'unanswered'>(MOST_ANSWERS_REMEMBERED);
  const helped = createCache<true>(MOST_ANSWERS_REMEMBERED, { ttlMs: HELP_EVERY_MS, now: deps.monotonic });

  /** @throws if there is certainly no answer */
  async function answer({ client, context }: Mentioned, written: Written, isAgain: boolean): Promise<void> {
    const workspace = workspaceOf(context);
    const { user } = written;
    const isHelpDue = () => isAgain || isFirst(helped, `${workspace} ${user}`);
    const said = await answerTo(deps, workspace, written, isHelpDue);
    if (!said) return;
    await tell(client, written, said).catch((error) => {
      deps.log.warn({ err: error, workspace, user }, 'mention not answered');
      if (failureOf(error).code === 'ratelimited') throw error;
    });
  }

  return async (args) => {
    const written = Written.safeParse(args.event).data;
    if (!written) return;
    const name = `${workspaceOf(args.context)} ${written.channel} ${written.ts}`;
    const before = tries.get(name);
    // If a try that is under way fails, Slack delivers this event again.
    if (before instanceof Promise) return before;
    if (!before && args.context.retryNum !== undefined) return;
    const trying = answer(args, written, before === 'unanswered').catch((error) => {
      tries.set(name, 'unanswered');
      throw error;
    });
    tries.set(name, trying);
    await trying;
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
    const { channel, ts, thread_ts: thread = ts } = written;
    return offer({ ...asked, target, place: isDirect(written) ? undefined : { channel, ts, thread } });
  }
  if (!isHelpDue()) return undefined;
  return problem ? textMessage(personSentence(problem)) : HELP;
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

/** The value of the button. `place`: the message in whose thread the request is answered; undefined: a direct message. */
const Offered = z.object({
  kind: z.enum(KIND_NAMES),
  target: z.string(),
  place: z.object({ channel: z.string(), ts: z.string(), thread: z.string() }).optional(),
});
type Offered = z.infer<typeof Offered>;

/** The characters of an id that the offer shows. */
const SHOWN_MAX = 75;

export function offer({ kind, target, place }: Offered): Message {
  const value = JSON.stringify({ kind, target, place });
  const asked = `${KIND_COPY[kind].verb}${target === '' ? '' : ` ${truncate(target, SHOWN_MAX)}`}`;
  const text = `Press the button to ${escaped(asked)}. Nothing is sent before you confirm it in the form.`;
  const open = button(ACTIONS.openRequest, `${capital(KIND_COPY[kind].verb)}…`, { value, style: 'primary' });
  return { text, blocks: [section(text), ...buttonRow([open])] };
}

/** The form that a message asks for. `target`: the id of the order or offer; '' where none is named. */
type Asked = { kind: Kind; target: string };

/** Words that are left out: people put them before, between and after the words of a command. */
const FILLERS: ReadonlySet<string> = new Set(
  [
    'a an for id it my no nr number please pls that the this with',
    'can could hello hey hi i like need to want we will would you',
  ].flatMap((words) => words.split(' ')),
);

/** A mention of anybody, as Slack writes it, "<@U123>" or "<@U123|ana>", and the punctuation behind it. */
const MENTION = /<@[^>]*>[,:;.!?]*/g;

/** The mark of a quoted line, as Slack writes ">". No id begins with it. */
const QUOTED = /(?<=^|\s)(?:&gt;)+/g;

/** An emoji, as Slack writes it: ":wave:". */
const EMOJI = /:[\p{L}\p{N}_+'-]+:/gu;

/** Text without a word: a lone comma, the marks of a block of code. */
const WORDLESS = /^[\p{P}\p{S}]*$/u;

/** A number or a domain of which Slack has made a link. The label is what the person typed. */
const LINKED = /<(?:tel:[^<>|]*\|([^<>|]+)|https?:\/\/([^<>|]+)\|\2)>/g;

/** Marks of formatting or brackets around the whole text. An id may hold such a mark. */
const WRAPPED = /^(?:([*_~`])([^*_~`]+)\1|\(([^()]+)\))$/s;

/** Reads a command in words, and the id of an order or offer; undefined: the text asks for nothing that the bot can do. */
export function parseMention(text: string): Asked | undefined {
  const typed = text.replaceAll(LINKED, (_, number?: string, domain?: string) => number ?? domain ?? '');
  const unquoted = typed.replaceAll(MENTION, ' ').replaceAll(QUOTED, ' ').trim();
  const parts = unquoted.replace(WRAPPED, '$2$3').split(/\s+/);
  const all = parts.filter((part) => !isWordless(part));
  const words = all.filter((word, n) => !isFiller(plainWord(word), n === all.length - 1));
  const said = words.map(plainWord);
  const kind = KIND_NAMES.find((name) => startsWith(said, KIND_COPY[name].verb.split(' ')));
  if (kind) return asked(kind, words.slice(KIND_COPY[kind].verb.split(' ').length));
  // "cancel A-1042" is about an order: an offer is named as such.
  return said[0] === 'cancel' ? asked('cancel_order', words.slice(1)) : undefined;
}

/**
 * Whether a part is only emoji and punctuation. The emoji are removed first: a pattern for both could match ":-:" in two ways,
 * and a row of those would take a time that doubles with each.
 */
const isWordless = (part: string): boolean => WORDLESS.test(part.replaceAll(EMOJI, ''));

/** Whether a word is left out. A single letter at the end stays: it may be an id. */
const isFiller = (word: string, isLast: boolean): boolean =>
  FILLERS.has(word) && !(isLast && word.length === 1);

/** The word without its formatting and the punctuation of its sentence: "*Order:" is "order". */
const plainWord = (word: string): string => idIn(word.replace(MARKS_AROUND, '')).toLowerCase();

/**
 * Marks of formatting, which may go around several words. The lookbehind has a long row in a word matched once, not at each mark.
 */
const MARKS_AROUND = /^[*_~`]+|(?<![*_~`])[*_~`]+$/g;

/** Whether words begin with those of a command, some of them perhaps in the plural. */
const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  start.every((word, i) => words[i] === word || words[i] === `${word}s`);

/** Characters: more than any id or address has, and few enough for the value of a button. */
const ID_MAX = 600;

const asked = (kind: Kind, [word = '']: readonly string[]): Asked => ({
  kind,
  target: idIn(word).slice(0, ID_MAX),
});

/** The id as the person typed it; an address with a label stays as Slack writes it. */
const idIn = (word: string): string => trimmedId(trimmedId(withoutEntities(word)).replace(FORMATTED, '$2'));

/**
 * The marks of bold, italic, struck-out and code around a whole word: at most six, with "```" for code. Without a limit, the time
 * for a long row of marks would grow with the cube of its length.
 */
const FORMATTED = /^([*_~`]{1,6})(.+)\1$/s;
