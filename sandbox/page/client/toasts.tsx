import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

/** Tells the person something in passing: what was refused, or went wrong. */
export type Tell = (text: string) => void;

const TellContext = createContext<Tell>(() => {});

/** How to tell the person something in passing. */
export const useTell = (): Tell => useContext(TellContext);

/** Shows what `useTell` tells, until the person takes it away. */
export function Toasts({ children }: { children: ReactNode }) {
  const [told, setTold] = useState<{ id: number; text: string }[]>([]);
  const tell = useCallback((text: string) => {
    setTold((before) => [...before.slice(-2), { id: (before.at(-1)?.id ?? 0) + 1, text }]);
  }, []);
  const dismiss = (id: number) => setTold((before) => before.filter((each) => each.id !== id));
  return (
    <TellContext value={tell}>
      {children}
      <div className="toasts" role="status">
        {told.map(({ id, text }) => (
          <p key={id}>
            {text}
            <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
              ×
            </button>
          </p>
        ))}
      </div>
    </TellContext>
  );
}
