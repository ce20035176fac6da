import { type ReactNode, useId, useState } from 'react';
import { Refused } from '../api.ts';
import { useToast } from '../overlays.tsx';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

type Action = () => Promise<unknown>;

/** Runs one action at a time, and shows a toast if it is refused. `run` resolves with whether it was done. */
export function useAction(): { isBusy: boolean; run: (action: Action) => Promise<boolean> } {
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);

  async function run(action: Action): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    try {
      await action();
      return true;
    } catch (error) {
      showToast(error instanceof Refused ? error.message : `That did not work: ${String(error)}`);
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, run };
}

/** A button that runs an action in the sandbox. It keeps its place and the focus while the action runs. */
export function ActionButton(props: {
  action: Action;
  /** The accessible name, where the text alone does not say what the button does, and to which item. */
  label?: string;
  tone?: 'primary' | 'danger' | '';
  children: ReactNode;
}) {
  const { action, label, tone = '', children } = props;
  const { isBusy, run } = useAction();
  return (
    <button
      type="button"
      className={`button ${tone}`}
      aria-label={label}
      aria-busy={isBusy}
      onClick={() => void run(action)}
    >
      {children}
    </button>
  );
}
