/** Answers commands, clicks and submissions, and turns a failure into a sentence that says what to do about it. */
import type { ViewResponseAction, webApi } from '@slack/bolt';
import { reportFault } from '../../fault.ts';
import type { Log } from '../../outbox/ports.ts';
import type { ManualResult } from '../../requests/use-cases/resolve-manually.ts';
import { type FieldErrors, textModal } from '../blocks/forms.ts';
import { type Message, textMessage } from '../blocks/text.ts';
import { failureOf, platformCode } from '../client/call-slack.ts';
import type { Links } from '../client/links.ts';
import { sendDirectMessage } from '../messages/deliver.ts';
import { faultSentence, knownRefusal, slowedDown, unknownRefusal } from '../messages/sentences/problems.ts';
import { manualResultText } from '../messages/sentences/result-texts.ts';
import type { ActionArgs, CommandArgs, ListenerDeps } from './listener.ts';

/**
 * The time within which an answer goes into the acknowledgement, or a modal opens with its content. Slack waits 3 s for the
 * acknowledgement, and for the call that opens the modal (https://docs.slack.dev/interactivity/handling-user-interaction).
 */
const IN_TIME_MS = 600;

/** Waits a short time for work, which goes on afterwards. @returns undefined if it takes longer */
export async function inTime<T>(
  { after }: Pick<ListenerDeps, 'after'>,
  work: Promise<T>,
): Promise<{ result: T } | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = after(IN_TIME_MS, () => late.resolve(undefined));
  try {
    return await Promise.race([work.then((result) => ({ result })), late.promise]);
  } finally {
    cancel();
  }
}

/** Answers a command privately: in its acknowledgement if the answer is known in time, else a little later. */
export async function answerCommand(
  deps: Pick<ListenerDeps, 'after'>,
  { ack, respond }: Pick<CommandArgs, 'ack' | 'respond'>,
  answer: Promise<Message>,
): Promise<void> {
  const known = await inTime(deps, answer);
  if (known) return ack({ response_type: 'ephemeral', ...known.result });
  await ack();
  await respond({ response_type: 'ephemeral', ...(await answer) });
}

/** Answers a click privately, beneath the message on which it was: in its thread, if that is a reply. */
export async function answerClick(
  { body, respond }: { body: object; respond: ActionArgs['respond'] },
  text: string,
): Promise<void> {
  const { message = {} }: { message?: { thread_ts?: unknown; ts?: unknown } } = body;
  const { thread_ts: thread, ts } = message;
  const place = typeof thread === 'string' && thread !== ts ? { thread_ts: thread } : {};
  await respond({ response_type: 'ephemeral', replace_original: false, ...place, ...textMessage(text) });
}

/** Answers a submission: shows a text in place of the form. @param texts mrkdwn, a paragraph each */
export const textInstead = (title: string, ...texts: string[]): ViewResponseAction => ({
  response_action: 'update',
  view: textModal(title, ...texts),
});

/** Answers a submission: shows a text on top of the form, which stays as it was filled in. */
export const textOnTop = (title: string, text: string): ViewResponseAction => ({
  response_action: 'push',
  view: textModal(title, text),
});

/** Answers a submission: shows errors at their fields. @returns undefined if there are none */
export function refusal(...errors: FieldErrors[]): ViewResponseAction | undefined {
  const all = Object.assign({}, ...errors) as FieldErrors;
  return Object.keys(all).length > 0 ? { response_action: 'errors', errors: all } : undefined;
}

/**
 * Logs a failure, and says what to do about it: in a plain sentence for a refusal of Slack that is understood, with a reference
 * to the log for everything else.
 */
export function failureSentence(log: Log, error: unknown, context: object): string {
  const failure = failureOf(error);
  const code = platformCode(error);
  const understood =
    failure.type === 'later' && failure.code === 'ratelimited'
      ? slowedDown(failure.retryAfterMs)
      : code !== undefined && knownRefusal(code);
  if (understood) {
    log.warn({ ...context, slack: failure.code }, 'Slack call refused for a waiting person');
    return understood;
  }
  const reference = reportFault(log, error, context);
  const isRefusal = code !== undefined && failure.type !== 'doubtful';
  return isRefusal ? unknownRefusal(failure.code, reference) : faultSentence(reference);
}

/** Sends a person a direct message with an outcome that no modal or Home tab shows. Never throws: a failure is logged. */
export async function tellDirectly(
  { log }: Pick<ListenerDeps, 'log'>,
  client: webApi.WebClient,
  user: string,
  text: string,
): Promise<void> {
  await sendDirectMessage(client, user, text).catch((error) =>
    reportFault(log, error, { user, what: 'outcome not delivered' }),
  );
}

/** Explains why nothing was done, with a link to the card of the request that is in the way, if there is one. */
export async function linkedResultText(
  result: Exclude<ManualResult, { type: 'done' }>,
  links: Pick<Links, 'toCard'>,
  reader?: string,
): Promise<string> {
  return manualResultText(result, 'by' in result ? await links.toCard(result.by) : undefined, reader);
}
