/** Toasts, dialogs, popovers and menus over the page, and how Escape closes them. */
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** The things that Escape closes, the innermost last. */
const KINDS = ['thread', 'list', 'modal', 'confirm', 'menu'] as const;

type Layer = { kind: (typeof KINDS)[number] };

const open: Layer[] = [];

/** Returns the innermost open layer; of equal kinds, the one that was opened last. */
const innermost = () =>
  open.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)).at(-1);

/**
 * Closes something with Escape, if nothing further in is open. The key is taken before any element sees it, because selects
 * close their list with it, and would look closed to a later listener. In the inspector, Escape belongs to the fields there.
 */
export function useEscape(kind: Layer['kind'], close: () => void, isOpen = true): void {
  const onEscape = useEffectEvent(close);
  // In the same commit as the elements: a second press must not reach a dialog that is no longer there.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const layer = { kind };
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || innermost() !== layer || isInInspector(event.target)) return;
      event.preventDefault();
      onEscape();
    };
    open.push(layer);
    document.addEventListener('keydown', press, true);
    return () => {
      open.splice(open.indexOf(layer), 1);
      document.removeEventListener('keydown', press, true);
    };
  }, [kind, isOpen]);
}

const isInInspector = (target: EventTarget | null) =>
  target instanceof Element && target.closest('.inspector') !== null;

export type ShowToast = (text: string) => void;

const ToastContext = createContext<ShowToast>(() => {});

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

type Face = { label: string; face: ReactNode; buttonClass?: string };

/** A button that opens a popover, until the focus leaves it or the person presses Escape. */
export function Popover(props: Face & { panelClass?: string; children: (close: () => void) => ReactNode }) {
  const { label, face, buttonClass, panelClass = '', children } = props;
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

export type MenuItem = {
  key: string;
  label: ReactNode;
  description?: string | undefined;
  action: () => Promise<unknown>;
};

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
