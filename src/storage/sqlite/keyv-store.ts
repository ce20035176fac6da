/**
 * Adapts node:sqlite to keyv, for values where the last write may win. Reads of one turn of the event loop become one
 * statement.
 */
import { EventEmitter } from 'node:events';
import Keyv, { type KeyvStoreAdapter } from 'keyv';
import type { Database, Statement } from './database.ts';

/**
 * @param namespace separates the keys of one kind. The store puts it in front of the key exactly once: keyv itself
 *   would omit it if a key already begins with it, and so confuse two keys
 */
export function openSqliteKeyv(database: Database, namespace: string): Keyv {
  return new Keyv({
    store: new SqliteKeyvStore(database),
    namespace,
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
  });
}

/** Stores values that keyv has already serialized. Errors are thrown to the caller. */
class SqliteKeyvStore extends EventEmitter implements KeyvStoreAdapter {
  opts = { dialect: 'sqlite' };
  namespace: string | undefined;
  readonly #database: Database;
  readonly #read: (key: string) => Promise<unknown>;
  readonly #set: Statement;
  readonly #delete: Statement;

  constructor(database: Database) {
    super();
    this.#database = database;
    const select = database.statement('SELECT value FROM keyv WHERE key = ?');
    this.#read = readTogether((key) => select.get(key)?.['value']);
    this.#set = database.statement(
      'INSERT INTO keyv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    this.#delete = database.statement('DELETE FROM keyv WHERE key = ?');
  }

  async get<Value>(key: string): Promise<Value | undefined> {
    return (await this.#read(this.#prefix() + key)) as Value | undefined;
  }

  async set(key: string, value: string): Promise<void> {
    const prefixed = this.#prefix() + key;
    await this.#database.write(() => void this.#set.run(prefixed, value));
  }

  async delete(key: string): Promise<boolean> {
    const prefixed = this.#prefix() + key;
    return this.#database.write(() => this.#delete.run(prefixed).changes > 0);
  }

  async clear(): Promise<void> {
    const prefix = this.#prefix();
    const cleared = this.#database.statement('DELETE FROM keyv WHERE substr(key, 1, ?) = ?');
    await this.#database.write(() => void cleared.run(prefix.length, prefix));
  }

  /** Computed on use, because keyv sets the namespace after construction. */
  #prefix(): string {
    return this.namespace ? `${this.namespace}:` : '';
  }
}

/**
 * Reads together what is asked for in one turn of the event loop, and each key once. A read begins after the last caller
 * has asked, so nobody gets an older value than by a read of their own. SQLite answers at once: alone, each request would
 * run from its first byte to its answer before the next one begins, and would find the caches of the processor filled with
 * the end of the former request: an event used 1.6 times the CPU time. Released together, all requests take their first step
 * before any of them takes its second.
 *
 * @returns `read`, delayed to the end of the turn; callers who ask for one key share its value, or its error
 */
export function readTogether<T>(read: (key: string) => T): (key: string) => Promise<T> {
  let turn: Promise<void> | undefined;
  let asked = new Map<string, Promise<T>>();

  /** A caller from now on may have seen a later write. */
  function end(): void {
    turn = undefined;
    asked = new Map();
  }

  return (key) => {
    turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(end);
    const reading = asked.get(key) ?? turn.then(() => read(key));
    asked.set(key, reading);
    return reading;
  };
}
