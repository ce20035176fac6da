/** Defines the schema of the SQLite file. */
import { RECORD_TYPES } from '../../outbox/record-store.ts';

/**
 * Creates the tables of a type of record. A record is found by its key, its due time (`due_at`), its slot, its creation
 * time (`at`) and each of its subjects: a JSON list in its row, and one row each in a separate table. A further table
 * lists the workspaces with pending effects by the earliest due time of each (`since`), so that looking for what is due
 * costs nothing for those in which nothing is due yet.
 */
export const recordTable = (table: string): string => `
  CREATE TABLE ${table} (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    subjects TEXT NOT NULL,
    at INTEGER NOT NULL,
    slot TEXT,
    due_at INTEGER,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE UNIQUE INDEX ${table}_slot ON ${table} (workspace, slot) WHERE slot IS NOT NULL;
  CREATE INDEX ${table}_due ON ${table} (workspace, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX ${table}_at ON ${table} (workspace, at, id);
  CREATE TABLE ${table}_subjects (
    workspace TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (workspace, subject, at, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ${table}_waiting (workspace TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX ${table}_waiting_since ON ${table}_waiting (since);
  ${subjectTriggers(table)}
  ${waitingTriggers(table)}
`;

/** Keeps the subjects in step with their record, in the same statement. Unchanged subjects are not rewritten. */
function subjectTriggers(table: string): string {
  const list = `
    INSERT OR IGNORE INTO ${table}_subjects
      SELECT NEW.workspace, value, NEW.at, NEW.id FROM json_each(NEW.subjects);`;
  const unlist = `
    DELETE FROM ${table}_subjects
      WHERE workspace = OLD.workspace AND at = OLD.at AND id = OLD.id
        AND subject IN (SELECT value FROM json_each(OLD.subjects));`;
  return `
    CREATE TRIGGER ${table}_listed AFTER INSERT ON ${table} BEGIN ${list} END;
    CREATE TRIGGER ${table}_unlisted AFTER DELETE ON ${table} BEGIN ${unlist} END;
    CREATE TRIGGER ${table}_relisted AFTER UPDATE OF subjects ON ${table}
      WHEN NEW.subjects IS NOT OLD.subjects BEGIN ${unlist} ${list} END;
  `;
}

/** Keeps the earliest due time of a workspace in step with its records, in the same statement. */
function waitingTriggers(table: string): string {
  const sooner = `
    INSERT INTO ${table}_waiting VALUES (NEW.workspace, NEW.due_at)
      ON CONFLICT DO UPDATE SET since = excluded.since WHERE since > excluded.since;`;
  const earliest = `SELECT due_at FROM ${table} WHERE workspace = OLD.workspace AND due_at IS NOT NULL
    ORDER BY due_at LIMIT 1`;
  const later = `
    DELETE FROM ${table}_waiting WHERE workspace = OLD.workspace AND NOT EXISTS (${earliest});
    UPDATE ${table}_waiting SET since = (${earliest}) WHERE workspace = OLD.workspace AND since = OLD.due_at;`;
  return `
    CREATE TRIGGER ${table}_waits AFTER INSERT ON ${table}
      WHEN NEW.due_at IS NOT NULL BEGIN ${sooner} END;
    CREATE TRIGGER ${table}_waits_no_more AFTER DELETE ON ${table}
      WHEN OLD.due_at IS NOT NULL BEGIN ${later} END;
    CREATE TRIGGER ${table}_waits_sooner AFTER UPDATE OF due_at ON ${table}
      WHEN NEW.due_at IS NOT NULL AND (OLD.due_at IS NULL OR NEW.due_at < OLD.due_at) BEGIN ${sooner} END;
    CREATE TRIGGER ${table}_waits_longer AFTER UPDATE OF due_at ON ${table}
      WHEN OLD.due_at IS NOT NULL AND (NEW.due_at IS NULL OR NEW.due_at > OLD.due_at) BEGIN ${later} END;
  `;
}

const KEYV = 'CREATE TABLE keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;';

const RECORD_TABLES = RECORD_TYPES.map(recordTable).join('');

export const SCHEMA: string = `${RECORD_TABLES} ${KEYV}`;
