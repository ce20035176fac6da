import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** The scroll position of a list that grows at its end. */
export type Following = {
  list: RefObject<HTMLDivElement | null>;
  isFollowing: boolean;
  /** Scrolls to the end, and keeps it in view. */
  follow(): void;
  /** Keeps the current position from now on. */
  leave(): void;
  onScroll(): void;
};

/** The distance from the end that counts as at the end. */
const TOLERANCE_PX = 8;

/** Keeps the end of a list in view until the person scrolls up or opens something in it. */
export function useFollowing(isVisible: boolean): Following {
  const list = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);

  // After every render, because any of them may have made the list longer.
  useLayoutEffect(() => {
    const { current } = list;
    if (isFollowing && isVisible && current) current.scrollTop = current.scrollHeight;
  });

  const follow = useCallback(() => setFollowing(true), []);
  const leave = useCallback(() => setFollowing(false), []);
  const onScroll = () => {
    const { current } = list;
    if (current && isVisible) setFollowing(isAtEnd(current));
  };
  return { list, isFollowing, follow, leave, onScroll };
}

const isAtEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - clientHeight - scrollTop <= TOLERANCE_PX;
