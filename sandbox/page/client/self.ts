/** The person in front of the page: who and where they are, and what they can do. */
import { createContext, useContext, useMemo } from 'react';
import type { AppMenu } from '../../lib/manifest.ts';
import type { Option } from '../../slack/blocks/text.ts';
import type { MessageRef, Where } from '../../slack/people/context.ts';
import type { FieldValue } from '../../slack/people/seen.ts';
import type { PersonSeen } from '../view-model/people.ts';
import type { ConversationSeen } from '../view-model/workspace.ts';
import { post, Refused, troubleText } from './api.ts';
import { type MenuItem, type ShowToast, useToast } from './overlays.tsx';

type Self = {
  me: PersonSeen;
  mentionable: PersonSeen[];
  conversation: ConversationSeen;
  actions: Actions;
  menu: AppMenu;
};

export const SelfContext = createContext<Self | null>(null);

export function useSelf(): Self {
  const self = useContext(SelfContext);
  if (!self) throw new Error('There is nobody in front of this page.');
  return self;
}

export const shortcutItems = (
  { shortcuts }: AppMenu,
  wanted: 'global' | 'message',
  run: (callback_id: string) => Promise<unknown>,
): MenuItem[] =>
  shortcuts
    .filter(({ type }) => type === wanted)
    .map(({ name, description, callback_id }) => ({
      key: callback_id,
      label: name,
      description,
      action: () => run(callback_id),
    }));

/** The part of an action's result (`ActionResult` in sandbox/slack/people/seen.ts) that the page uses. */
export type ActionResult = {
  trouble?: string;
  options?: Option[];
};

/** The value of a button, or the option of a menu, as the person saw it. An update may have changed it meanwhile. */
export type Pressed = { value?: string | undefined } | { option: string };

/** Shown for a refusal that has no sentence for people: it is about something that an update has just changed or removed. */
const CHANGED = 'That changed in the meantime. Look again; “Traffic” in the inspector says what was refused.';

export function useActions(person: string): Actions {
  const showToast = useToast();
  return useMemo(() => createActions(person, showToast), [person, showToast]);
}

/** The actions of a person. Each resolves with its result, or with undefined if it was refused and a toast said why. */
export type Actions = ReturnType<typeof createActions>;

function createActions(person: string, showToast: ShowToast) {
  async function send(
    path: string,
    body: object,
    { showsTrouble = true, showsRefusal = true } = {},
  ): Promise<ActionResult | undefined> {
    try {
      const result = await post<ActionResult>(`/slack/control/${path}`, body);
      if (result.trouble && showsTrouble) showToast(troubleText(result.trouble));
      return result;
    } catch (error) {
      if (showsRefusal) showToast((error instanceof Refused && error.said) || CHANGED);
      return undefined;
    }
  }
  const action = (name: string, body: object = {}, toasts = {}) =>
    send(`people/${person}/${name}`, body, toasts);
  return {
    // Slack shows the error of a command in the channel, only visible to the person.
    command: (line: string, channel: string) => action('command', { line, channel }, { showsTrouble: false }),
    shortcut: (callback_id: string) => action('shortcut', { callback_id }),
    messageShortcut: (callback_id: string, message: MessageRef) =>
      action('message-shortcut', { callback_id, message }),
    openHome: () => action('open-home'),
    click: (button: string, message: Where | undefined, pressed: Pressed) =>
      action('click', { button, message, ...pressed }),
    fill: (values: Record<string, FieldValue>, message?: Where) => action('fill', { values, message }),
    // A select still searches while its view is being closed.
    search: async (field: string, text: string, message?: Where) =>
      (await action('search', { field, text, message }, { showsRefusal: false }))?.options ?? [],
    // The modal shows its own error.
    submit: (values: Record<string, FieldValue>) => action('submit', { values }, { showsTrouble: false }),
    closeModal: () => action('close-modal'),
    say: (text: string, channel: string, thread_ts?: string) => action('say', { text, channel, thread_ts }),
    react: (reaction: string, message: MessageRef) => action('react', { reaction, message }),
    unreact: (reaction: string, message: MessageRef) => action('unreact', { reaction, message }),
    deleteMessage: (message: MessageRef) => action('delete-message', { message }),
    join: (channel: string) => send('admin/invite', { channel, user: person }),
  };
}
