import type { Completion } from './completion.ts';

/** The list above the composer; the arrow keys move in it, from the field. */
export function CompletionList(props: {
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
