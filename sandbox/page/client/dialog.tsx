import { type ReactNode, useEffect, useRef } from 'react';
import { useEscape } from './escape.ts';

/** A dialog, which Escape cancels. A blocking one, which asks to confirm, makes the rest of the page inert. */
export function Dialog(props: {
  label: string;
  className?: string;
  isBlocking?: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { isBlocking = false, onCancel } = props;
  useEscape(isBlocking ? 'confirm' : 'modal', onCancel);

  useEffect(() => {
    const before = document.activeElement;
    if (isBlocking) ref.current?.showModal();
    else ref.current?.show();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isBlocking]);

  return (
    <dialog
      ref={ref}
      className={props.className}
      aria-label={props.label}
      // A browser also cancels a dialog without the key: by the back gesture of a phone.
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {props.children}
    </dialog>
  );
}
