import { createContext, useContext, useMemo, useState } from 'react';

/** Who one is, and what is open; kept in the address, so that it can be reloaded, shared and gone back to. */
export type Place = {
  as?: string;
  conversation?: string;
  /** The parent of the thread in the side pane. */
  thread?: string;
};

/** Where one is, and how to get elsewhere. */
export type Navigation = {
  place: Place;
  /** Changes what is named; a thread that is not named again is closed. */
  open(change: Place): void;
  /** Becomes somebody of another workspace, where nothing is open yet. */
  enter(as: string): void;
};

const NavigationContext = createContext<Navigation>({ place: {}, open: () => {}, enter: () => {} });

/** Provides `useNavigation`. */
export const NavigationProvider = NavigationContext;

/** Where one is, and how to get elsewhere. */
export const useNavigation = (): Navigation => useContext(NavigationContext);

/** The navigation of the page; used once, at its top. */
export function usePageNavigation(): Navigation {
  const [place, setPlace] = useState(readPlace);
  return useMemo(() => {
    const go = (next: Place) => {
      history.replaceState(null, '', `?${new URLSearchParams(next)}`);
      setPlace(next);
    };
    const open = (change: Place) => {
      const { thread: _, ...kept } = place;
      go({ ...kept, ...change });
    };
    return { place, open, enter: (as: string) => go({ as }) };
  }, [place]);
}

function readPlace(): Place {
  const query = new URLSearchParams(location.search);
  const entries = ['as', 'conversation', 'thread'].flatMap((key) => {
    const value = query.get(key);
    return value ? [[key, value]] : [];
  });
  return Object.fromEntries(entries);
}
