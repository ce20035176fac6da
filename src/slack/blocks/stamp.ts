/**
 * Stamps what the bot draws with the workspace for which it is drawn: a click or a submission then acts in that workspace. Slack
 * does not name it: with an org-wide installation Slack names the person's own workspace, wherever they click
 * (https://github.com/slackapi/bolt-js/issues/1875), and for the Home tab perhaps another one that has the app
 * (https://github.com/slackapi/bolt-python/issues/1229). A view carries the stamp in its metadata, a button of a message in its
 * value: people can write neither.
 */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { isObject } from '../../json.ts';

/** No other metadata, and no other value of a button, begins like this. */
const STAMP = /^@(\S+) ?/;

export const stamped = (workspace: string, text: string): string => `@${workspace} ${text}`;

export const stampedView = <View extends types.View>(workspace: string, view: View): View => ({
  ...view,
  private_metadata: stamped(workspace, view.private_metadata ?? ''),
});

const withoutStamp = (text: string): string => text.replace(STAMP, '');

const Metadata = z.object({ view: z.object({ private_metadata: z.string() }) });
/** Elements of other types may have a value that a person typed. */
const Pressed = z.object({
  actions: z.tuple([z.object({ type: z.literal('button'), value: z.string() })], z.unknown()),
});

/**
 * Reads the workspace for which something was drawn.
 *
 * @returns undefined if it has no stamp, as a shortcut in Slack's own menus
 */
export function drawnIn(body: unknown): string | undefined {
  // A command has neither. This look is faster than a parse that fails.
  if (!isObject(body) || !('view' in body || 'actions' in body)) return undefined;
  const metadata = Metadata.safeParse(body).data?.view.private_metadata;
  const text = metadata ?? Pressed.safeParse(body).data?.actions[0].value ?? '';
  return STAMP.exec(text)?.[1];
}

type Given = {
  body: object;
  view?: { private_metadata: string };
  action?: object;
};

/** The arguments of a listener without the stamps in their texts. */
export function withoutStamps<Args extends { body: object }>(args: Args): Args {
  const { body, view, action }: Given = args;
  return {
    ...args,
    ...('view' in body && { body: { ...body, view: plainView(body.view) } }),
    ...(view && { view: plainView(view) }),
    ...(action && { action: plainButton(action) }),
  };
}

const plainView = <View>(view: View): View =>
  isStampable(view, 'private_metadata')
    ? { ...view, private_metadata: withoutStamp(view.private_metadata) }
    : view;

const plainButton = (action: object): object =>
  'type' in action && action.type === 'button' && isStampable(action, 'value')
    ? { ...action, value: withoutStamp(action.value) }
    : action;

const isStampable = <Given, Key extends string>(
  given: Given,
  key: Key,
): given is Given & Record<Key, string> =>
  typeof given === 'object' && given !== null && typeof (given as Record<string, unknown>)[key] === 'string';
