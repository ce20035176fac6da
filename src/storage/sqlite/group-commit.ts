/**
 * Commits together what waits in one turn of the event loop, so that the disk is waited for once. A write is answered only
 * after its commit, and a commit that fails fails all writes in it.
 */

/**
 * Runs `act`, which writes, within the next commit. No other statement runs between the commit's begin and its end, so nobody
 * ever reads what was not committed.
 *
 * @returns what `act` returned, once it is durable
 * @throws what `act` threw; the rest of the commit stands, unless SQLite has rolled it back
 */
export type GroupCommit = <T>(act: () => T) => Promise<T>;

/**
 * A write that waits for the next commit. `run` makes it, and returns what tells its caller, for after the commit. It throws
 * where SQLite has rolled the transaction back.
 */
type Waiting = { run: () => () => void; fail: (error: unknown) => void };

/** The database, as far as a commit needs it. */
type Transactions = { isTransaction: boolean; statement(sql: string): { run(): unknown } };

/** @returns the commit, and `flush`: commits at once what still waits */
export function createGroupCommit(database: Transactions): GroupCommit & { flush(): void } {
  const begin = database.statement('BEGIN IMMEDIATE');
  const end = database.statement('COMMIT');
  const undo = database.statement('ROLLBACK');
  let waiting: Waiting[] = [];

  function flush(): void {
    const together = waiting;
    if (together.length === 0) return;
    waiting = [];
    try {
      begin.run();
      const tell = together.map(({ run }) => run());
      end.run();
      for (const each of tell) each();
    } catch (error) {
      for (const { fail } of together) fail(error);
      rollBack();
    }
  }

  function rollBack(): void {
    try {
      if (database.isTransaction) undo.run();
    } catch {
      // The next begin fails while the transaction is open, fails all that waited for it, and comes here again.
    }
  }

  function runWithin<T>(act: () => T, resolve: (value: T) => void, reject: (error: unknown) => void) {
    try {
      const value = act();
      return () => resolve(value);
    } catch (error) {
      // A full disk ends the transaction as a whole (https://www.sqlite.org/lang_transaction.html, "Response To Errors").
      if (!database.isTransaction) throw error;
      return () => reject(error);
    }
  }

  const write: GroupCommit = (act) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ run: () => runWithin(act, resolve, reject), fail: reject });
    });
  return Object.assign(write, { flush });
}
