import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

/** A modal dialog of the browser: it keeps the focus inside, and Escape cancels it. */
export function Dialog(props: {
  label: string;
  className: string;
  onCancel: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  // Selects keep Escape for themselves, even where they have nothing to close; so the browser would never cancel.
  function press(event: KeyboardEvent) {
    const isList = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || isList) return;
    event.preventDefault();
    props.onCancel();
  }

  return (
    <dialog
      ref={ref}
      className={props.className}
      aria-label={props.label}
      onKeyDown={press}
      onCancel={(event) => {
        event.preventDefault();
        props.onCancel();
      }}
    >
      {props.children}
    </dialog>
  );
}
