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
};

const NavigationContext = createContext<Navigation>({ place: {}, open: () => {} });

/** Provides `useNavigation`. */
export const NavigationProvider = NavigationContext;

/** Where one is, and how to get elsewhere. */
export const useNavigation = (): Navigation => useContext(NavigationContext);

/** The navigation of the page; used once, at its top. */
export function usePageNavigation(): Navigation {
  const [place, setPlace] = useState(readPlace);
  return useMemo(() => {
    const open = (change: Place) => {
      const { thread: _, ...kept } = place;
      const next = { ...kept, ...change };
      history.replaceState(null, '', `?${new URLSearchParams(next)}`);
      setPlace(next);
    };
    return { place, open };
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
