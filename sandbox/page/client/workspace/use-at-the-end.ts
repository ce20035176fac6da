import { useLayoutEffect, useRef } from 'react';

/** The distance from the end, in pixels, within which the list counts as scrolled to its end. */
const NEAR = 60;

/**
 * Keeps a list scrolled to its end, for each new message and while the list grows or its column narrows, unless the person
 * has scrolled up.
 * @param isOwn whether the newest message is the person's own, which is shown wherever they have scrolled to
 * @param opened the `ts` of the message whose thread is open: it stays in view when the thread narrows the list
 */
export function useAtTheEnd(newest: string | undefined, isOwn: boolean, opened: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled for everything new
  useLayoutEffect(() => {
    isAtEnd.current ||= isOwn;
    if (list.current && isAtEnd.current) toEnd(list.current);
  }, [newest]);

  useLayoutEffect(() => {
    const element = list.current;
    const card = opened && element?.querySelector(`[data-ts="${CSS.escape(opened)}"]`);
    if (!element || !card) return;
    if (isAtEnd.current) toEnd(element);
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
      if (isAtEnd.current) toEnd(element);
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

const toEnd = (element: HTMLElement) => element.scrollTo({ top: element.scrollHeight });

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight < NEAR;
