/**
 * Answers a person who mentions the bot in a channel, or writes to it directly: with a button that opens the form, or with help.
 * The text is read for a command and an id, and is neither stored nor logged.
 */
import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import { createCache } from '../../cache.ts';
import { parseJson } from '../../json.ts';
import { KIND_NAMES } from '../../requests/model/kinds.ts';
import { personProblem } from '../../requests/use-cases/who-may.ts';
import { button, buttonRow } from '../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import { stamped } from '../blocks/stamp.ts';
import { code, either, escaped, type Message, section, textMessage, truncate } from '../blocks/text.ts';
import { failureOf } from '../client/call-slack.ts';
import { originIn } from '../client/links.ts';
import { authorizedFor, concernedBy } from '../listeners/concerned.ts';
import {
  type ActionArgs,
  buttonValue,
  type EventArgs,
  type Feature,
  type Listener,
  type ListenerDeps,
  type NotLearnt,
} from '../listeners/listener.ts';
import { byClick } from '../listeners/modals.ts';
import { personSentence } from '../messages/sentences/problems.ts';
import { capital, KIND_COPY } from '../messages/sentences/request-words.ts';
import { idOf, readCommand } from './read-mention.ts';
import { openRequest } from './request/index.ts';

export const mention: Feature = (deps) => {
  const answer = answerOnce(deps);
  return {
    events: { app_mention: answer, message: answer },
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

type Mentioned = EventArgs<'app_mention' | 'message'>;

const MOST_ANSWERS_REMEMBERED = 10_000;
/**
 * Within this time, a person gets the help in one place at most once. Without a limit, a program that writes with a person's
 * account could answer the help, and be answered, for ever.
 */
const HELP_EVERY_MS = 60_000;

/**
 * Answers each message once. A redelivered event is answered only if this process knows that the message has no answer: otherwise
 * the person might get two. If they get none, they can write again.
 */
function answerOnce(deps: ListenerDeps): Listener<Mentioned> {
  /** The last try for each message. `unanswered`: the message certainly has no answer, and Slack delivers its event again. */
  const tries = createCache<Promise<void> | 'unanswered'>(MOST_ANSWERS_REMEMBERED);
  const helped = createCache<true>(MOST_ANSWERS_REMEMBERED, { ttlMs: HELP_EVERY_MS, now: deps.monotonic });

  /** @throws if there is certainly no answer */
  async function answer(args: Mentioned, written: Written, isAgain: boolean): Promise<void> {
    const writer = await findWriter(deps, args, written);
    if (!writer) {
      const { notLearnt } = args.context as NotLearnt;
      // The writer may belong to a workspace that is not known yet: Slack must deliver the event again.
      if (notLearnt !== undefined) throw notLearnt;
      return;
    }
    const { workspace, client } = writer;
    const { user, channel } = written;
    const isHelpDue = () => {
      const place = `${workspace} ${user} ${channel}`;
      if (helped.has(place)) return isAgain;
      helped.set(place, true);
      return true;
    };
    const said = await answerTo(deps, writer, written, isHelpDue);
    if (!said) return;
    await tell(client, written, said).catch((error) => {
      deps.log.warn({ err: error, workspace, user }, 'mention not answered');
      if (failureOf(error).code === 'ratelimited') throw error;
    });
  }

  return async (args) => {
    const written = Written.safeParse(args.event).data;
    if (!written) return;
    const name = `${authorizedFor(args.context)} ${written.channel} ${written.ts}`;
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

type Writer = {
  workspace: string;
  client: webApi.WebClient;
  problem: Exclude<ReturnType<typeof personProblem>, 'external_user' | 'bot'>;
};

/**
 * Finds the workspace in which a person writes to the bot: the workspace that Slack names, or another workspace that has the
 * channel and whose bot they mention.
 *
 * @returns undefined for bots and people of another company, who get no answer
 */
async function findWriter(
  deps: ListenerDeps,
  args: Mentioned,
  written: Written,
): Promise<Writer | undefined> {
  const named = args.context.teamId;
  for await (const { workspace, client, botUserId } of concernedBy(deps, args, written.channel)) {
    if (workspace !== named && !mentions(written, botUserId)) continue;
    const problem = personProblem(await deps.directory.person(workspace, written.user));
    if (problem === 'bot') return undefined;
    if (problem !== 'external_user') return { workspace, client, problem };
    if (isDirect(written)) return undefined;
  }
  return undefined;
}

/** Whether a text mentions a person or bot (https://docs.slack.dev/messaging/formatting-message-text). */
const mentions = ({ text }: Written, user: string | undefined): boolean =>
  text.includes(`<@${user}>`) || text.includes(`<@${user}|`);

/** The answer to a message. @returns undefined if only the help would answer it, and the person has just been helped */
async function answerTo(
  { settings }: ListenerDeps,
  { workspace, problem }: Writer,
  written: Written,
  isHelpDue: () => boolean,
): Promise<Message | undefined> {
  const command = problem ? undefined : readCommand(written.text);
  if (command) {
    const target = idOf(command, await settings(workspace));
    const { channel, ts, thread_ts: thread = ts } = written;
    const place = isDirect(written) ? undefined : { channel, ts, thread };
    return offer(workspace, { kind: command.kind, target, place });
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
    `Write ${either(KIND_NAMES.map((kind) => `“${KIND_COPY[kind].verb}”`))} and an id, and I give you a button that opens the form. In a channel, mention me, too.`,
    `You can also use ${KIND_NAMES.map((kind) => code(KIND_COPY[kind].command)).join(', ')}, or the menu of a message. ${code(`${COMMANDS.countermand} status <id>`)} shows the status, and ${code(`${COMMANDS.countermand} help`)} lists everything.`,
  ].join(' '),
);

/** The value of the button. `place`: the message, in whose thread the card goes; undefined: it is a direct message. */
const Offered = z.object({
  kind: z.enum(KIND_NAMES),
  target: z.string(),
  place: z.object({ channel: z.string(), ts: z.string(), thread: z.string() }).optional(),
});
type Offered = z.infer<typeof Offered>;

/** The characters of an id that the offer shows. */
const SHOWN_MAX = 75;

export function offer(workspace: string, { kind, target, place }: Offered): Message {
  const value = stamped(workspace, JSON.stringify({ kind, target, place }));
  const { verb, title } = KIND_COPY[kind];
  const asked = target === '' ? title.toLowerCase() : `${verb} ${truncate(target, SHOWN_MAX)}`;
  const text = `Press the button to ${escaped(asked)}. Nothing is sent before you confirm it in the form.`;
  const open = button(ACTIONS.openRequest, `${capital(verb)}…`, { value, style: 'primary' });
  return { text, blocks: [section(text), ...buttonRow([open])] };
}
