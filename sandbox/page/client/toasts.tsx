import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

/** Shows the person a short message about a refusal or a failure. */
export type ShowToast = (text: string) => void;

const ToastContext = createContext<ShowToast>(() => {});

/** Returns the function that shows a toast. */
export const useToast = (): ShowToast => useContext(ToastContext);

/**
 * The provider of `useToast`. A toast goes when its animation (styles/dialogs.css) has ended, which pauses while the person
 * points at it, or when the person dismisses it.
 */
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
          <p key={id} onAnimationEnd={() => dismiss(id)}>
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
