/** Names that may be used once, within a time. */
import type Keyv from 'keyv';

export type Once = {
  /** @param ms how long it may be used */
  open(name: string, ms: number): Promise<void>;
  isOpen(name: string): Promise<boolean>;
  /** @returns whether this was the first use, in time: of several at once only one is */
  use(name: string): Promise<boolean>;
};

export function createOnce(store: Keyv): Once {
  const isOpen = async (name: string) => (await store.get(name)) !== undefined;
  return {
    open: async (name, ms) => void (await store.set(name, 1, ms)),
    isOpen,
    use: async (name) => (await isOpen(name)) && (await store.delete(name)),
  };
}
