/** Registers the ways to request something: commands, shortcuts, buttons, and the forms behind them. */
import { z } from 'zod';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import { ACTIONS, CALLBACKS, messageCallback, requestCallback } from '../../blocks/ids.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';
import { linkTo, originOf } from '../../client/links.ts';
import type { Feature, Listener, ListenerDeps, ShortcutArgs } from '../listener.ts';
import { byClick } from '../views.ts';
import { requestFilledInAction } from './filled-in.ts';
import { openRequest, requestAgainAction, requestCommand } from './open.ts';
import { requestSubmission, withdrawSubmission } from './submission.ts';

export const request: Feature = (deps) => ({
  commands: Object.fromEntries(
    KIND_NAMES.map((kind) => {
      const { command, help } = KIND_COPY[kind];
      return [command, { ...help, listener: requestCommand(kind, deps) }];
    }),
  ),
  shortcuts: Object.fromEntries(
    KIND_NAMES.flatMap((kind) => [
      [kind, requestShortcut(kind, deps)],
      [messageCallback(kind), messageShortcut(kind, deps)],
    ]),
  ),
  views: {
    ...Object.fromEntries(KIND_NAMES.map((kind) => [requestCallback(kind), requestSubmission(kind, deps)])),
    [CALLBACKS.withdraw]: withdrawSubmission(deps),
  },
  actions: {
    [ACTIONS.channel]: requestFilledInAction(deps),
    [ACTIONS.target]: requestFilledInAction(deps),
    [ACTIONS.targetChoice]: requestFilledInAction(deps),
    [ACTIONS.requestAgain]: requestAgainAction(deps),
  },
});

/** In Slack's menu of shortcuts: does the same as the command without arguments. */
function requestShortcut(kind: Kind, deps: ListenerDeps): Listener<ShortcutArgs> {
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

/** In the menu of a message: finds the id in it, and answers in its thread. The text is neither stored nor logged. */
function messageShortcut(kind: Kind, deps: ListenerDeps): Listener<ShortcutArgs> {
  return async (args) => {
    await args.ack();
    const { team, channel, message } = OnMessage.parse(args.body);
    const place = { channel: channel.id, ts: message.ts, thread: message.thread_ts ?? message.ts };
    const origin = {
      channel: place.channel,
      thread: place.thread,
      link: linkTo(originOf(team?.domain), place),
    };
    await openRequest(deps, byClick(args), {
      kind,
      channel: channel.id,
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
