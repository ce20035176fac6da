import type { ReactNode } from 'react';
import { type Act, useAct } from './use-action.ts';

/** A button that does something at the sandbox. It stays in place and in focus while that goes on. */
export function ActButton({
  act,
  label,
  tone,
  children,
}: {
  act: Act;
  /** What it does, and to which one: the accessible name, where the text alone does not tell. */
  label?: string;
  tone?: 'good' | 'bad';
  children: ReactNode;
}) {
  const { isBusy, run } = useAct();
  return (
    <button
      type="button"
      className={`backstage-button${tone ? ` backstage-${tone}` : ''}`}
      aria-label={label}
      aria-busy={isBusy}
      onClick={() => void run(act)}
    >
      {children}
    </button>
  );
}
