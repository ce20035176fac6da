import type { ReactNode } from 'react';
import { type Action, useAction } from './use-action.ts';

/** A button that does something at the sandbox. It stays in place and in focus while that goes on. */
export function ActionButton({
  action,
  label,
  tone,
  children,
}: {
  action: Action;
  /** What it does, and to which one: the accessible name, where the text alone does not tell. */
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
