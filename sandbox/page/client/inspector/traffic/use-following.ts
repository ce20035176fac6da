import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** A list that grows at its end, and a person who may want to stay elsewhere in it. */
export type Following = {
  list: RefObject<HTMLDivElement | null>;
  isFollowing: boolean;
  /** Goes to the end, and stays there. */
  follow(): void;
  /** Stays where it is from now on. */
  leave(): void;
  onScroll(): void;
};

/** So close to the end counts as there. */
const TOLERANCE_PX = 8;

/** Keeps the end of a list in view until the person scrolls up or opens something in it. */
export function useFollowing(isVisible: boolean): Following {
  const list = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);

  // After every drawing, whatever it was that made the list longer.
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
