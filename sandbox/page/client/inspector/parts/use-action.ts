import { useCallback, useRef, useState } from 'react';
import { Refused } from '../../api.ts';
import { useTell } from '../../toasts.tsx';

/** Something that the person does at the sandbox. */
export type Act = () => Promise<unknown>;

/** Does one act after the other, and tells the person what was refused. `run` resolves with whether it was done. */
export function useAct(): { isBusy: boolean; run: (act: Act) => Promise<boolean> } {
  const tell = useTell();
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);

  const run = useCallback(
    async (act: Act) => {
      if (busy.current) return false;
      busy.current = true;
      setBusy(true);
      try {
        await act();
        return true;
      } catch (error) {
        tell(error instanceof Refused ? error.message : `That did not work: ${String(error)}`);
        return false;
      } finally {
        busy.current = false;
        setBusy(false);
      }
    },
    [tell],
  );

  return { isBusy, run };
}
