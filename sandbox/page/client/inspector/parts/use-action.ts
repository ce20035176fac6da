import { useCallback, useRef, useState } from 'react';
import { Refused } from '../../api.ts';
import { useToast } from '../../toasts.tsx';

/** An action of the person in the sandbox. */
export type Action = () => Promise<unknown>;

/** Runs one action at a time, and shows a toast if it is refused. `run` resolves with whether it was done. */
export function useAction(): { isBusy: boolean; run: (action: Action) => Promise<boolean> } {
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);

  const run = useCallback(
    async (action: Action) => {
      if (busy.current) return false;
      busy.current = true;
      setBusy(true);
      try {
        await action();
        return true;
      } catch (error) {
        showToast(error instanceof Refused ? error.message : `That did not work: ${String(error)}`);
        return false;
      } finally {
        busy.current = false;
        setBusy(false);
      }
    },
    [showToast],
  );

  return { isBusy, run };
}
