import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

/** A button that opens a popover, until the focus leaves it or the person presses Escape. */
export function Popover(props: {
  label: string;
  className?: string;
  face: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  function leave({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and leaving are noticed for what is inside
    <span className={`popover ${props.className ?? ''}`} onBlur={leave} onKeyDown={press}>
      <button
        ref={button}
        type="button"
        className="plain"
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
