import { type FocusEvent, type ReactNode, useRef, useState } from 'react';
import { useEscape } from './escape.ts';

type Face = { label: string; face: ReactNode; buttonClass?: string };

/** A button that opens a popover, until the focus leaves it or the person presses Escape. */
export function Popover({
  label,
  face,
  buttonClass,
  panelClass = '',
  children,
}: Face & {
  panelClass?: string;
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
    <span className="popover" onBlur={leave}>
      <button
        ref={button}
        type="button"
        className={buttonClass}
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && <span className={`floating ${panelClass}`}>{children(close)}</span>}
    </span>
  );
}

/** An entry of a menu. */
export type MenuItem = {
  key: string;
  label: ReactNode;
  description?: string | undefined;
  action: () => Promise<unknown>;
};

/** A button that opens a menu. */
export function Menu({ items, ...face }: Face & { items: MenuItem[] }) {
  return (
    <Popover {...face} panelClass="menu">
      {(close) =>
        items.map(({ key, label, description, action }) => (
          <button
            key={key}
            type="button"
            title={description}
            onClick={() => {
              close();
              void action();
            }}
          >
            {label}
          </button>
        ))
      }
    </Popover>
  );
}
