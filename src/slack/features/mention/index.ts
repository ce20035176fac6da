/**
 * Answers whoever mentions the bot in a channel, or writes to it directly: with a button that opens the form, or with help.
 * The text is read for a command and an id, and is neither stored nor logged.
 */
import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import { createCache } from '../../../cache.ts';
import { parseJson } from '../../../json.ts';
import { idMeant } from '../../../requests/use-cases/addresses.ts';
import { personProblem } from '../../../requests/use-cases/who-may.ts';
import { ACTIONS, EVENTS } from '../../blocks/ids.ts';
import { personSentence } from '../../blocks/problems.ts';
import { type Message, textMessage } from '../../blocks/text.ts';
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
import { HELP, Offered, offer, parseMention } from './text.ts';

export const mention: Feature = (deps) => {
  const answer = answerOnce(deps);
  return {
    events: { [EVENTS.appMention]: answer, [EVENTS.message]: answer },
    actions: { [ACTIONS.openRequest]: openRequestAction(deps) },
  };
};

/** Messages of other kinds (joined, changed, deleted) ask for nothing. */
const SUBTYPES = z.enum(['file_share', 'thread_broadcast']);

/**
 * Only messages that a person wrote: no bot, and not the bot's own answer
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
  subtype: SUBTYPES.optional(),
});
type Written = z.infer<typeof Written>;

const MOST_ANSWERS_REMEMBERED = 10_000;
/** Help is repeated to a person at most once in this time. */
const HELP_EVERY_MS = 60_000;

/**
 * A redelivered event is not answered: whether the first delivery was is not known, and the person would read two answers.
 * They can always write again.
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

/** @returns undefined for people of another company, who get no answer, and for who had help a moment ago */
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

function placeOf(written: Written) {
  const { channel, ts, thread_ts: thread = ts } = written;
  return isDirect(written) ? undefined : { channel, ts, thread };
}

const isDirect = ({ channel_type }: Written): boolean => channel_type === 'im';

/** In a channel only the person sees the answer, in the thread if they wrote in one. */
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
    const { kind, target, channel, ts, thread } = Offered.parse(parseJson(buttonValue(action)));
    const isInChannel = channel !== undefined && ts !== undefined && thread !== undefined;
    const origin = isInChannel ? { origin: originIn(body.team?.domain, { channel, ts, thread }) } : {};
    await openRequest(deps, byClick(args), { kind, channel, known: { target, reason: '', ...origin } });
  };
}
