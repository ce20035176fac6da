import { type ReactNode, useEffect, useRef } from 'react';

/** A dialog, which Escape cancels. A modal one makes the rest of the page inert. */
export function Dialog(props: {
  label: string;
  className: string;
  isBlocking?: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { isBlocking = false, onCancel } = props;

  useEffect(() => {
    const before = document.activeElement;
    if (isBlocking) ref.current?.showModal();
    else ref.current?.show();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isBlocking]);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isMeant(event.target, ref.current)) return;
      event.preventDefault();
      onCancel();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onCancel]);

  return (
    <dialog
      ref={ref}
      className={props.className}
      aria-label={props.label}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {props.children}
    </dialog>
  );
}

/**
 * Whether Escape was pressed in the dialog, or while nothing has the focus. Selects swallow Escape even if
 * they have no list to close, so the browser alone would never cancel the dialog.
 */
function isMeant(target: EventTarget | null, dialog: HTMLDialogElement | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.getAttribute('aria-expanded') === 'true') return false;
  return target === document.body || dialog?.contains(target) === true;
}
