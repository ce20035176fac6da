import { type ReactNode, useEffect, useRef } from 'react';

/** A dialog: Escape cancels it. One that blocks leaves nothing else on the page to be used. */
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
 * Whether Escape was pressed in the dialog, or where nothing has the focus. Selects keep Escape for themselves, even where
 * they have no list to close, so the browser alone would never cancel.
 */
function isMeant(target: EventTarget | null, dialog: HTMLDialogElement | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.getAttribute('aria-expanded') === 'true') return false;
  return target === document.body || dialog?.contains(target) === true;
}
