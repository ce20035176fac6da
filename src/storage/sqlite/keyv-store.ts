/** A keyv adapter on node:sqlite: what is stored by key, where the last write may win. */
import { EventEmitter } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import Keyv, { type KeyvStoreAdapter } from 'keyv';

/**
 * @param namespace of keys of their own. It stands in front of the key once, put there by the store: keyv itself would
 *   leave it out where a key begins with it already, and so take one key for another
 */
export function openSqliteKeyv(database: DatabaseSync, namespace: string): Keyv {
  return new Keyv({
    store: new SqliteKeyvStore(database),
    namespace,
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
  });
}

/** keyv hands over values already serialized. Errors are thrown to the caller. */
class SqliteKeyvStore extends EventEmitter implements KeyvStoreAdapter {
  opts = { dialect: 'sqlite' };
  namespace: string | undefined;
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #set: StatementSync;
  readonly #delete: StatementSync;
  readonly #expire: StatementSync;

  constructor(database: DatabaseSync) {
    super();
    this.#database = database;
    this.#get = database.prepare('SELECT value FROM keyv WHERE key = ?');
    this.#set = database.prepare(
      `INSERT INTO keyv (key, value, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
    );
    this.#delete = database.prepare('DELETE FROM keyv WHERE key = ?');
    this.#expire = database.prepare('DELETE FROM keyv WHERE expires_at < ?');
  }

  async get<Value>(key: string): Promise<Value | undefined> {
    return this.#get.get(this.#prefix() + key)?.['value'] as Value | undefined;
  }

  /** @param ttl milliseconds; rows that have expired go when one with a ttl comes */
  async set(key: string, value: string, ttl?: number): Promise<void> {
    if (ttl !== undefined) this.#expire.run(Date.now());
    this.#set.run(this.#prefix() + key, value, ttl === undefined ? null : Date.now() + ttl);
  }

  async delete(key: string): Promise<boolean> {
    return this.#delete.run(this.#prefix() + key).changes > 0;
  }

  async clear(): Promise<void> {
    const prefix = this.#prefix();
    this.#database.prepare('DELETE FROM keyv WHERE substr(key, 1, ?) = ?').run(prefix.length, prefix);
  }

  /** keyv sets the namespace once the store is made. */
  #prefix(): string {
    return this.namespace ? `${this.namespace}:` : '';
  }
}
