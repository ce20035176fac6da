/** Shortcuts: of a message, in whose thread the request is answered, and of Slack's own menu. */
import { z } from 'zod';
import type { Kind } from '../../../requests/model/kinds.ts';
import { linkTo, originOf } from '../../client/links.ts';
import { type Listener, type ListenerDeps, type ShortcutArgs, workspaceOf } from '../listener.ts';
import { openRequest } from './open.ts';

/** In Slack's menu of shortcuts: does the same as the command without arguments. */
export function requestShortcut(kind: Kind, deps: ListenerDeps): Listener<ShortcutArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const who = { workspace: workspaceOf(context), requester: body.user.id, channel: undefined };
    await openRequest(deps, client, body.trigger_id, { kind, who, known: { target: '', reason: '' } });
  };
}

/** A message as Slack gives it with its shortcut (https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload). */
const OnMessage = z.object({
  team: z.object({ domain: z.string() }).nullish(),
  channel: z.object({ id: z.string() }),
  message: z.looseObject({ ts: z.string(), thread_ts: z.string().optional(), text: z.string().optional() }),
});

/** In the menu of a message: finds the id in it, and answers in its thread. The text is neither stored nor logged. */
export function messageShortcut(kind: Kind, deps: ListenerDeps): Listener<ShortcutArgs> {
  return async ({ ack, body, client, context }) => {
    await ack();
    const { team, channel, message } = OnMessage.parse(body);
    const who = { workspace: workspaceOf(context), requester: body.user.id, channel: channel.id };
    const place = { channel: channel.id, ts: message.ts, thread: message.thread_ts ?? message.ts };
    const origin = {
      channel: place.channel,
      thread: place.thread,
      link: linkTo(originOf(team?.domain), place),
    };
    await openRequest(deps, client, body.trigger_id, {
      kind,
      who,
      known: { target: '', reason: '', origin },
      text: textOf(message),
    });
  };
}

/** All texts of a message: help desks post theirs in attachments and blocks. */
function textOf(message: { text?: string | undefined; blocks?: unknown; attachments?: unknown }): string {
  return [message.text ?? '', ...textsIn(message.attachments), ...textsIn(message.blocks)].join('\n');
}

const TEXTS: ReadonlySet<string> = new Set([
  'text',
  'fallback',
  'title',
  'value',
  'pretext',
  'title_link',
  'url',
]);

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (TEXTS.has(name) ? [inner] : []) : textsIn(inner),
  );
}
