import { useMemo } from 'react';
import type { Option } from '../../slack/blocks/options.ts';
import type { FieldValue } from '../../slack/people/form/see-modal.ts';
import type { SubmissionOutcome } from '../../slack/people/form/submission-answer.ts';
import { post } from './api.ts';
import { useTell } from './toasts.tsx';

/** Where a message is. */
export type MessageRef = { channel: string; ts: string };

/** What came of an act: see `Seen` in sandbox/slack/people/seen.ts. */
export type Came = {
  trouble?: string;
  outcome?: SubmissionOutcome | 'not_sent';
  options?: Option[];
};

/** Everything that the person can do. Each act resolves with what came of it, or with undefined where it was refused and told. */
export type Acts = {
  command(line: string, channel: string): Promise<Came | undefined>;
  shortcut(callback_id: string): Promise<Came | undefined>;
  messageShortcut(callback_id: string, message: MessageRef): Promise<Came | undefined>;
  click(button: string, message?: MessageRef, option?: string): Promise<Came | undefined>;
  fill(values: Record<string, FieldValue>, message?: MessageRef): Promise<Came | undefined>;
  search(field: string, text: string, message?: MessageRef): Promise<Came | undefined>;
  submit(values: Record<string, FieldValue>): Promise<Came | undefined>;
  closeModal(): Promise<Came | undefined>;
  say(text: string, channel: string, thread_ts?: string): Promise<Came | undefined>;
  react(reaction: string, message: MessageRef): Promise<Came | undefined>;
  unreact(reaction: string, message: MessageRef): Promise<Came | undefined>;
  deleteMessage(message: MessageRef): Promise<Came | undefined>;
  join(channel: string): Promise<Came | undefined>;
};

/** What Slack says when the app did not answer as it should. */
const TROUBLES: Record<string, string> = {
  operation_timeout: 'Countermand did not answer in time. Try again.',
  dispatch_failed: 'Slack had trouble reaching Countermand. Try again.',
};

/** A trouble as a person reads it. */
export const troubleText = (trouble: string): string => TROUBLES[trouble] ?? trouble;

/** What one person can do. */
export function useActs(person: string): Acts {
  const tell = useTell();
  return useMemo(() => actsOf(person, tell), [person, tell]);
}

function actsOf(person: string, tell: (text: string) => void): Acts {
  async function send(path: string, body: object, tellsTrouble = true): Promise<Came | undefined> {
    try {
      const came = await post<Came>(`/slack/control/${path}`, body);
      if (came.trouble && tellsTrouble) tell(troubleText(came.trouble));
      return came;
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
  const act = (name: string, body: object = {}) => send(`people/${person}/${name}`, body);
  return {
    // What goes wrong with a command stands in the channel, only visible to the person.
    command: (line, channel) => send(`people/${person}/command`, { line, channel }, false),
    shortcut: (callback_id) => act('shortcut', { callback_id }),
    messageShortcut: (callback_id, message) => act('message-shortcut', { callback_id, message }),
    click: (button, message, option) => act('click', { button, message, option }),
    fill: (values, message) => act('fill', { values, message }),
    search: (field, text, message) => act('search', { field, text, message }),
    // The modal shows what went wrong with it.
    submit: (values) => send(`people/${person}/submit`, { values }, false),
    closeModal: () => act('close-modal'),
    say: (text, channel, thread_ts) => act('say', { text, channel, thread_ts }),
    react: (reaction, message) => act('react', { reaction, message }),
    unreact: (reaction, message) => act('unreact', { reaction, message }),
    deleteMessage: (message) => act('delete-message', { message }),
    join: (channel) => send('admin/invite', { channel, user: person }),
  };
}
