import type { ReactNode } from 'react';
import { type Action, useAction } from './use-action.ts';

/** A button that runs an action in the sandbox. It keeps its place and the focus while the action runs. */
export function ActionButton({
  action,
  label,
  tone,
  children,
}: {
  action: Action;
  /** The accessible name, where the text alone does not say what the button does, and to which item. */
  label?: string;
  tone?: 'good' | 'bad';
  children: ReactNode;
}) {
  const { isBusy, run } = useAction();
  return (
    <button
      type="button"
      className={`inspector-button${tone ? ` inspector-${tone}` : ''}`}
      aria-label={label}
      aria-busy={isBusy}
      onClick={() => void run(action)}
    >
      {children}
    </button>
  );
}
