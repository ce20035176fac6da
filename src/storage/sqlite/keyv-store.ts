/** A keyv adapter on node:sqlite: what is stored by key, where the last write may win. */
import { EventEmitter } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyvStoreAdapter } from 'keyv';

/** keyv hands over keys with their namespace in front and values already serialized. Errors are thrown to the caller. */
export class SqliteKeyvStore extends EventEmitter implements KeyvStoreAdapter {
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
    return this.#get.get(key)?.['value'] as Value | undefined;
  }

  /** @param ttl milliseconds; rows that have expired go when one with a ttl comes */
  async set(key: string, value: string, ttl?: number): Promise<void> {
    if (ttl !== undefined) this.#expire.run(Date.now());
    this.#set.run(key, value, ttl === undefined ? null : Date.now() + ttl);
  }

  async delete(key: string): Promise<boolean> {
    return this.#delete.run(key).changes > 0;
  }

  async clear(): Promise<void> {
    const prefix = this.namespace ? `${this.namespace}:` : '';
    this.#database.prepare('DELETE FROM keyv WHERE substr(key, 1, ?) = ?').run(prefix.length, prefix);
  }

  /** Every entry of a namespace, keys with their namespace in front. */
  async *iterator<Value>(namespace = this.namespace): AsyncGenerator<[string, Value], void> {
    const prefix = namespace ? `${namespace}:` : '';
    const rows = this.#database.prepare('SELECT key, value FROM keyv WHERE substr(key, 1, ?) = ?');
    for (const { key, value } of rows.iterate(prefix.length, prefix)) yield [String(key), value as Value];
  }
}
