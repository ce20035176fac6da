/** Slash commands and shortcuts: what they send to the app, and what the person sees of its answer. */
import type { PostResult } from '../../lib/http/client.ts';
import { entityEscaped } from '../../lib/unescaped.ts';
import {
  commandPayload,
  interactionBase,
  messageResponseUrl,
  shownName,
  triggerField,
} from '../delivery/payloads.ts';
import { applyResponse, readResponse } from '../delivery/respond.ts';
import { presentMessage } from '../present.ts';
import { PersonError, SlackError } from '../slack-error.ts';
import { postEphemeral } from '../world/messages.ts';
import type { Channel, Installation, User } from '../world/types.ts';
import { actingIn, teamNamed } from '../world/users.ts';
import { appOfTeam, type MessageRef, ownChannel, type PeopleContext, sendInteraction } from './context.ts';
import { type ActionResult, performAction, troubleOf } from './seen.ts';
import { visibleMessage } from './surface.ts';

/** Runs a slash command of the app in the channel's workspace or, if the person is not in that workspace, in their own. */
export function runCommand(
  context: PeopleContext,
  user: User,
  line: string,
  where: { channel: string },
): Promise<ActionResult> {
  return performAction(context, user, { name: 'command', request: { line, ...where } }, async () => {
    const { command, text: given } = splitLine(line);
    if (context.commands && !context.commands.has(command)) {
      throw new PersonError(`${command} is not a valid command`, `${command} is not a valid command.`);
    }
    const channel = ownChannel(context, user, where.channel);
    if (channel.is_archived) throw new PersonError(`${where.channel} is archived`);
    const app = appOfTeam(context, actingIn(user, channel));
    // Escaped as in messages; no page says so (asTyped in src/slack/bolt.ts).
    const text = entityEscaped(given);
    const body = commandPayload({ ...context, app }, { user, channel, command, text });
    const result = await context.connection.send({ kind: 'command', name: command, encoding: 'form', body });
    const trouble = showAnswer(context, app, user, channel, result);
    const failed = `${command} failed with the error "${trouble}"`;
    if (trouble) postEphemeral(context.world, { channel: channel.id, user: user.id, text: failed });
    return { result, trouble };
  });
}

function splitLine(line: string) {
  const [, command, text = ''] = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  if (command === undefined) throw new PersonError(`"${line}" is no command`);
  return { command, text };
}

/** Shows the answer of an acknowledgement; an answer that Slack can't read is trouble. */
function showAnswer(
  { world }: PeopleContext,
  app: Installation,
  user: User,
  channel: Channel,
  result: PostResult,
): string | undefined {
  const trouble = troubleOf(result);
  if (trouble || result.ended !== 'answered' || result.body.trim() === '') return trouble;
  try {
    const to = { team_id: app.team_id, channel: channel.id, user: user.id };
    applyResponse(world, to, readResponse(result.body));
    return undefined;
  } catch (error) {
    if (error instanceof SlackError) return error.code;
    throw error;
  }
}

export function runShortcut(context: PeopleContext, user: User, callback_id: string): Promise<ActionResult> {
  return performAction(context, user, { name: 'shortcut', request: { callback_id } }, async () => {
    refuseUnknownShortcut(context, callback_id);
    const payloads = { ...context, app: appOfTeam(context, user.team_id) };
    const result = await sendInteraction(context, {
      type: 'shortcut',
      ...interactionBase(payloads, user),
      ...triggerField(payloads, user, {}),
      callback_id,
      action_ts: context.world.nextTs(),
    });
    return { result };
  });
}

export function runMessageShortcut(
  context: PeopleContext,
  user: User,
  callback_id: string,
  where: MessageRef,
): Promise<ActionResult> {
  const act = { name: 'message_shortcut', request: { callback_id, ...where } };
  return performAction(context, user, act, async () => {
    refuseUnknownShortcut(context, callback_id);
    const message = visibleMessage(context, user, where);
    if (!('reactions' in message)) throw new PersonError('an ephemeral message has no menu');
    const channel = ownChannel(context, user, where.channel);
    const payloads = { ...context, app: appOfTeam(context, actingIn(user, channel)) };
    const result = await sendInteraction(context, {
      type: 'message_action',
      ...interactionBase(payloads, user, teamNamed(context.world, user, channel)),
      ...triggerField(payloads, user, { channel: channel.id }),
      ...messageResponseUrl(payloads, user, message, 'app'),
      callback_id,
      channel: { id: channel.id, name: shownName(channel) },
      message_ts: message.ts,
      message: presentMessage(context.world, channel, message),
      action_ts: context.world.nextTs(),
    });
    return { result };
  });
}

function refuseUnknownShortcut({ shortcuts }: PeopleContext, callback_id: string): void {
  if (shortcuts && !shortcuts.has(callback_id)) throw new PersonError(`there is no shortcut ${callback_id}`);
}
