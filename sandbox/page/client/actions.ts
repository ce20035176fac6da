import { useMemo } from 'react';
import type { Option } from '../../slack/blocks/text.ts';
import type { SubmissionOutcome } from '../../slack/people/form/submit.ts';
import type { FieldValue } from '../../slack/people/seen.ts';
import { post, Refused } from './api.ts';
import { useToast } from './toasts.tsx';
import { troubleText } from './troubles.ts';

/** The key of a message. */
export type MessageRef = { channel: string; ts: string };

/** The place of an element: in a message, or in the Home tab; left out: in the modal. */
type Where = MessageRef | 'home';

/** The result of an action: `ActionResult` in sandbox/slack/people/seen.ts. */
export type ActionResult = {
  trouble?: string;
  outcome?: SubmissionOutcome | 'not_sent';
  options?: Option[];
};

/** The actions of a person. Each resolves with its result, or with undefined if it was refused and a toast said why. */
export type Actions = {
  command(line: string, channel: string): Promise<ActionResult | undefined>;
  shortcut(callback_id: string): Promise<ActionResult | undefined>;
  messageShortcut(callback_id: string, message: MessageRef): Promise<ActionResult | undefined>;
  openHome(): Promise<ActionResult | undefined>;
  click(button: string, where?: Where, option?: string): Promise<ActionResult | undefined>;
  fill(values: Record<string, FieldValue>, where?: Where): Promise<ActionResult | undefined>;
  search(field: string, text: string, where?: Where): Promise<ActionResult | undefined>;
  submit(values: Record<string, FieldValue>): Promise<ActionResult | undefined>;
  closeModal(): Promise<ActionResult | undefined>;
  say(text: string, channel: string, thread_ts?: string): Promise<ActionResult | undefined>;
  react(reaction: string, message: MessageRef): Promise<ActionResult | undefined>;
  unreact(reaction: string, message: MessageRef): Promise<ActionResult | undefined>;
  deleteMessage(message: MessageRef): Promise<ActionResult | undefined>;
  join(channel: string): Promise<ActionResult | undefined>;
};

/** Any other refusal names ids: it is about something that an update has just changed or removed. */
const CHANGED = 'That has just changed. Look at it again; “Traffic” in the inspector says what was refused.';

/** Returns the actions of one person. */
export function useActions(person: string): Actions {
  const showToast = useToast();
  return useMemo(() => createActions(person, showToast), [person, showToast]);
}

function createActions(person: string, showToast: (text: string) => void): Actions {
  async function send(
    path: string,
    body: object,
    { tellsTrouble = true, tellsRefusal = true } = {},
  ): Promise<ActionResult | undefined> {
    try {
      const result = await post<ActionResult>(`/slack/control/${path}`, body);
      if (result.trouble && tellsTrouble) showToast(troubleText(result.trouble));
      return result;
    } catch (error) {
      if (tellsRefusal) showToast((error instanceof Refused && error.said) || CHANGED);
      return undefined;
    }
  }
  const action = (name: string, body: object = {}) => send(`people/${person}/${name}`, body);
  return {
    // Slack shows the error of a command in the channel, only visible to the person.
    command: (line, channel) => send(`people/${person}/command`, { line, channel }, { tellsTrouble: false }),
    shortcut: (callback_id) => action('shortcut', { callback_id }),
    messageShortcut: (callback_id, message) => action('message-shortcut', { callback_id, message }),
    openHome: () => action('open-home'),
    click: (button, message, option) => action('click', { button, message, option }),
    fill: (values, message) => action('fill', { values, message }),
    // A select still searches while its view is being closed.
    search: (field, text, message) =>
      send(`people/${person}/search`, { field, text, message }, { tellsRefusal: false }),
    // The modal shows its own error.
    submit: (values) => send(`people/${person}/submit`, { values }, { tellsTrouble: false }),
    closeModal: () => action('close-modal'),
    say: (text, channel, thread_ts) => action('say', { text, channel, thread_ts }),
    react: (reaction, message) => action('react', { reaction, message }),
    unreact: (reaction, message) => action('unreact', { reaction, message }),
    deleteMessage: (message) => action('delete-message', { message }),
    join: (channel) => send('admin/invite', { channel, user: person }),
  };
}
