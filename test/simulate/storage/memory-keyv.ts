/** Stores values by key in memory: an adapter under the real keyv, as in src/storage/sqlite/open.ts. */
import { EventEmitter } from 'node:events';
import Keyv, { type KeyvStoreAdapter } from 'keyv';

export type Cells = Map<string, string>;

/** Runs one operation on the cells; the simulation injects faults around it. */
export type Operate = <T>(name: string, run: () => T) => Promise<T>;

/** @param namespace separates its keys from those of others */
export function openMemoryKeyv(cells: Cells, namespace: string, operate: Operate): Keyv {
  return new Keyv({
    store: new MemoryKeyvStore(cells, operate),
    namespace,
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
    serialize: JSON.stringify,
    deserialize: JSON.parse,
  });
}

class MemoryKeyvStore extends EventEmitter implements KeyvStoreAdapter {
  /** keyv offers an iterator only for the dialects that it knows. */
  opts = { dialect: 'sqlite' };
  namespace: string | undefined;
  readonly #cells: Cells;
  readonly #operate: Operate;

  constructor(cells: Cells, operate: Operate) {
    super();
    this.#cells = cells;
    this.#operate = operate;
  }

  get<Value>(key: string): Promise<Value | undefined> {
    return this.#operate(
      `get ${this.namespace}`,
      () => this.#cells.get(this.#keyOf(key)) as Value | undefined,
    );
  }

  async set(key: string, value: string): Promise<void> {
    await this.#operate(`set ${this.namespace}`, () => void this.#cells.set(this.#keyOf(key), value));
  }

  delete(key: string): Promise<boolean> {
    return this.#operate(`delete ${this.namespace}`, () => this.#cells.delete(this.#keyOf(key)));
  }

  async clear(): Promise<void> {
    await this.#operate(`clear ${this.namespace}`, () => {
      for (const key of this.#keys(this.namespace)) this.#cells.delete(key);
    });
  }

  async *iterator<Value>(namespace = this.namespace): AsyncGenerator<[string, Value], void> {
    const rows = await this.#operate(`list ${namespace}`, () =>
      this.#keys(namespace).map((key): [string, unknown] => [
        key.slice(`${namespace}:`.length),
        this.#cells.get(key),
      ]),
    );
    for (const [key, value] of rows) yield [key, value as Value];
  }

  #keys(namespace: string | undefined): string[] {
    return [...this.#cells.keys()].filter((key) => key.startsWith(`${namespace}:`));
  }

  #keyOf(key: string): string {
    return `${this.namespace}:${key}`;
  }
}
