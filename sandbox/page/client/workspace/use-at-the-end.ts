import { useLayoutEffect, useRef } from 'react';

/** The distance from the end, in pixels, within which the list counts as scrolled to its end. */
const NEAR = 60;

/**
 * Keeps a list scrolled to its end, for each new message and while the list grows or its column narrows, unless the person
 * has scrolled up. A thread that covers its conversation begins at its message, which is nowhere else in view.
 * @param isOwn whether the newest message is the person's own, which is shown wherever they have scrolled to
 * @param opened the `ts` of the message whose thread is open: it stays in view when the thread narrows the list
 */
export function useAtTheEnd(newest: string | undefined, isOwn: boolean, opened: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // The event of a person's scrolling may come later than a new message.
  const end = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled for everything new
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const hasScrolledUp = !isNearEnd(element) && element.scrollTop < end.current - NEAR;
    if (isOwn || (isAtEnd.current && !hasScrolledUp)) toEnd(element, end);
    else isAtEnd.current = false;
  }, [newest]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element || !coversConversation(element)) return;
    element.scrollTo({ top: 0 });
    isAtEnd.current = isNearEnd(element);
  }, []);

  useLayoutEffect(() => {
    const element = list.current;
    const card = opened && element?.querySelector(`[data-ts="${CSS.escape(opened)}"]`);
    if (!element || !card) return;
    if (isAtEnd.current) toEnd(element, end);
    card.scrollIntoView({ block: 'nearest' });
    isAtEnd.current = isNearEnd(element);
  }, [opened]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      isAtEnd.current = isNearEnd(element);
    };
    const follow = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd(element, end);
    });
    const watch = () => {
      for (const each of [element, ...element.children]) follow.observe(each);
    };
    const children = new MutationObserver(watch);
    element.addEventListener('scroll', note);
    children.observe(element, { childList: true });
    watch();
    return () => {
      element.removeEventListener('scroll', note);
      children.disconnect();
      follow.disconnect();
    };
  }, []);

  return list;
}

function toEnd(element: HTMLElement, end: { current: number }): void {
  element.scrollTo({ top: element.scrollHeight });
  end.current = element.scrollTop;
}

/** Whether the list is in a thread as wide as both panes. */
function coversConversation(element: HTMLElement): boolean {
  const thread = element.closest<HTMLElement>('.thread');
  return thread !== null && thread.offsetWidth === thread.parentElement?.clientWidth;
}

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR;
