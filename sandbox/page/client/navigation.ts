/**
 * The current person and the open conversation. They are in the address, so that the page can be reloaded and shared, and the
 * back button works.
 */
import { createContext, useContext, useEffect, useMemo, useState } from 'react';

export type Place = {
  as?: string;
  conversation?: string;
  /** The `ts` of the parent of the open thread. */
  thread?: string;
};

/** In place of a conversation's id: the Home tab of the app. */
export const HOME = 'home';

type Navigation = {
  place: Place;
  /** Changes the given fields; a thread that is not given again is closed. */
  open(change: Place): void;
  /** Switches to a person of another workspace, with nothing open yet. */
  enter(as: string): void;
};

export const NavigationContext = createContext<Navigation>({ place: {}, open: () => {}, enter: () => {} });

export const useNavigation = (): Navigation => useContext(NavigationContext);

export function usePageNavigation(): Navigation {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const goBack = () => setPlace(readPlace());
    addEventListener('popstate', goBack);
    return () => removeEventListener('popstate', goBack);
  }, []);
  return useMemo(() => {
    const go = (next: Place) => {
      const query = queryOf(next);
      if (query !== queryOf(place)) history.pushState(null, '', query);
      setPlace(next);
    };
    const open = (change: Place) => {
      const { thread: _, ...kept } = place;
      go({ ...kept, ...change });
    };
    return { place, open, enter: (as: string) => go({ as }) };
  }, [place]);
}

const FIELDS = ['as', 'conversation', 'thread'] as const;

function readPlace(): Place {
  const query = new URLSearchParams(location.search);
  return filledIn((key) => query.get(key));
}

const queryOf = (place: Place) => `?${new URLSearchParams(filledIn((key) => place[key]))}`;

function filledIn(read: (key: keyof Place) => string | null | undefined): Record<string, string> {
  const entries = FIELDS.map((key) => [key, read(key) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
