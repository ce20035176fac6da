import { useState } from 'react';

const PREFIX = 'countermand-sandbox.inspector.';

/** Returns a choice that the browser stores, if it allows storing; `initial` until one was made. */
export function useStoredChoice<T extends string>(
  name: string,
  choices: readonly T[],
  initial: T,
): [T, (choice: T) => void] {
  const [chosen, setChosen] = useState(() => choices.find((each) => each === recall(name)) ?? initial);
  const choose = (choice: T) => {
    setChosen(choice);
    remember(name, choice);
  };
  return [chosen, choose];
}

function recall(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // If the browser stores nothing, the choice lasts as long as the page.
  }
}
