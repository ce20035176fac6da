import { useLayoutEffect, useRef } from 'react';

/** The distance from the end, in pixels, within which the list counts as scrolled to its end. */
const NEAR = 60;

/**
 * Keeps a list scrolled to its end: whenever `newest` changes, and while it grows or its column narrows, unless the
 * person has scrolled up.
 */
export function useAtTheEnd(newest: string) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled for everything new
  useLayoutEffect(() => {
    isAtEnd.current = true;
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    const follow = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTo({ top: element.scrollHeight });
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
