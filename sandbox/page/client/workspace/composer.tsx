/** The message composer. It takes messages and the app's slash commands, which Slack does not take in threads. */
import { type KeyboardEvent, useId, useState } from 'react';
import { Menu, useEscape, useToast } from '../overlays.tsx';
import { shortcutItems, useSelf } from '../self.ts';
import { asSent, type Completion, completionsFor } from './completion.ts';

export function Composer(props: { label: string; thread_ts?: string; isFirst?: boolean }) {
  const { label, thread_ts, isFirst = false } = props;
  const [text, setText] = useState('');
  const { completions, current, move, restart, dismiss } = useCompletions(text, thread_ts === undefined);
  const send = useSend(thread_ts);
  const id = useId();
  const isOpen = completions.length > 0;
  useEscape('menu', dismiss, isOpen);

  function change(next: string) {
    setText(next);
    restart();
  }

  async function submit() {
    if (text.trim() !== '' && (await send(text))) change('');
  }

  function press(event: KeyboardEvent) {
    const action = event.shiftKey ? undefined : actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  }

  function actionOf(key: string): (() => unknown) | undefined {
    const complete = () => change(current?.text ?? text);
    if (key === 'Enter') return isTyped(current, text) ? submit : complete;
    if (!isOpen) return undefined;
    if (key === 'Tab') return complete;
    const steps = { ArrowDown: 1, ArrowUp: -1 }[key];
    return steps === undefined ? undefined : () => move(steps);
  }

  return (
    <div className="composer row">
      {isOpen && <CompletionList id={id} completions={completions} current={current} take={change} />}
      <textarea
        className="grow"
        rows={1}
        placeholder={label}
        aria-label={label}
        // biome-ignore lint/a11y/noAutofocus: as in Slack, one can type at once
        autoFocus={isFirst}
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={current && `${id}-${current.label}`}
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={press}
      />
      {!thread_ts && <GlobalShortcuts />}
      <button type="button" className="button primary" disabled={text.trim() === ''} onClick={submit}>
        Send
      </button>
    </div>
  );
}

function useCompletions(text: string, takesCommands: boolean) {
  const { menu, mentionable } = useSelf();
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const offered = completionsFor(text, takesCommands ? menu.commands : [], mentionable);
  const completions = isDismissed ? [] : offered;
  return {
    completions,
    current: completions[chosen],
    move: (steps: number) => setChosen((chosen + steps + completions.length) % completions.length),
    restart: () => {
      setChosen(0);
      setDismissed(false);
    },
    dismiss: () => setDismissed(true),
  };
}

/** Whether Enter sends the text: it has no completion, or is already complete. */
const isTyped = (completion: Completion | undefined, text: string) =>
  completion === undefined || completion.label === text.trim();

/** Sends a command or a message. Returns false if it was refused, so that the text stays in the field. */
function useSend(thread_ts: string | undefined): (text: string) => Promise<boolean> {
  const { actions, mentionable, conversation } = useSelf();
  const showToast = useToast();
  return async (text) => {
    if (!text.startsWith('/')) {
      return (await actions.say(asSent(text, mentionable), conversation.id, thread_ts)) !== undefined;
    }
    if (thread_ts === undefined) return (await actions.command(text, conversation.id)) !== undefined;
    showToast(`${text.split(' ')[0]} is not supported in threads. Sorry!`);
    return false;
  };
}

/** The list above the composer; the arrow keys move in it, from the field. */
function CompletionList(props: {
  id: string;
  completions: Completion[];
  current: Completion | undefined;
  take: (text: string) => void;
}) {
  return (
    <div id={props.id} className="floating menu completions" role="listbox" aria-label="Completions">
      {props.completions.map(({ text, label, hint, description }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
        <div
          key={label}
          id={`${props.id}-${label}`}
          role="option"
          tabIndex={-1}
          aria-selected={label === props.current?.label}
          // A press with the mouse leaves the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.take(text)}
        >
          <strong>{label}</strong> <span>{hint}</span>
          <small>{description}</small>
        </div>
      ))}
    </div>
  );
}

function GlobalShortcuts() {
  const { actions, menu } = useSelf();
  const items = shortcutItems(menu, 'global', actions.shortcut);
  return items.length > 0 && <Menu label="Shortcuts" face="⚡" items={items} />;
}
