import { setImmediate as nextTurn } from 'node:timers/promises';

/** Everything that passes waits at a gate, and the gates are opened in an order of the test's choosing. */
export function createGates() {
  const waiting: (() => void)[] = [];
  const pass = () => new Promise<void>((go) => void waiting.push(go));
  const gated = <A extends unknown[], T>(act: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      await pass();
      const result = await act(...args);
      await pass();
      return result;
    };
  };
  return {
    gated,
    open: (choice: number) => waiting.splice(choice % Math.max(1, waiting.length), 1)[0]?.(),
  };
}

export type Gates = ReturnType<typeof createGates>;

/** A write to SQLite takes a turn of the event loop: more of them in a row than anything makes between two gates. */
const COMMITS = 10;

/** Lets every promise that can go on do so. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < COMMITS; turn++) await nextTurn();
}
