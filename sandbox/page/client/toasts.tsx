import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

/** Tells the person something in passing: what was refused, or went wrong. */
export type ShowToast = (text: string) => void;

const ToastContext = createContext<ShowToast>(() => {});

/** How to tell the person something in passing. */
export const useToast = (): ShowToast => useContext(ToastContext);

/** Shows what `useTell` tells, until the person takes it away. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<{ id: number; text: string }[]>([]);
  const show = useCallback((text: string) => {
    setToasts((before) => [...before.slice(-2), { id: (before.at(-1)?.id ?? 0) + 1, text }]);
  }, []);
  const dismiss = (id: number) => setToasts((before) => before.filter((each) => each.id !== id));
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <p key={id}>
            {text}
            <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
              ×
            </button>
          </p>
        ))}
      </div>
    </ToastContext>
  );
}
