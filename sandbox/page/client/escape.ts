import { useEffect, useEffectEvent } from 'react';

/** The things that Escape closes, the innermost last. */
const KINDS = ['thread', 'list', 'modal', 'confirm', 'menu'] as const;

type Layer = { kind: (typeof KINDS)[number] };

const open: Layer[] = [];

/** Of equal kinds, the one that was opened last. */
const innermost = () =>
  open.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind)).at(-1);

/**
 * Closes something with Escape, if nothing further in is open. The key is taken before any element sees it, because selects
 * close their list with it, and would look closed to a later listener. In the inspector it belongs to the inspector's fields.
 */
export function useEscape(kind: Layer['kind'], close: () => void, isOpen = true): void {
  const onEscape = useEffectEvent(close);
  useEffect(() => {
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
