import { type FocusEvent, type ReactNode, useRef, useState } from 'react';
import { useEscape } from './escape.ts';

/** A button that opens a popover, until the focus leaves it or the person presses Escape. */
export function Popover(props: {
  label: string;
  className?: string;
  buttonClass?: string;
  face: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  useEscape('menu', close, isOpen);

  function leave({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving is noticed for what is inside
    <span className={`popover ${props.className ?? ''}`} onBlur={leave}>
      <button
        ref={button}
        type="button"
        className={props.buttonClass ?? 'plain'}
        aria-label={props.label}
        title={props.label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {props.face}
      </button>
      {isOpen && <span className="popover-panel">{props.children(close)}</span>}
    </span>
  );
}
