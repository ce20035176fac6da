/**
 * The schema of the SQLite file, as the steps that lead to it. Whoever has the file of an older version goes the rest
 * of the way: a step that was released stays as it is, and a change is one more of them.
 */

/** A record is found by what it owes (`due_at`), by what it is about (`subject`), by its slot and by its age (`at`). */
const recordTable = (table: string) => `
  CREATE TABLE IF NOT EXISTS ${table} (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    slot TEXT,
    due_at INTEGER,
    record TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS ${table}_slot ON ${table} (workspace, slot) WHERE slot IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${table}_due ON ${table} (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${table}_subject ON ${table} (workspace, subject, at);
  CREATE INDEX IF NOT EXISTS ${table}_at ON ${table} (workspace, at, id);
`;

/** The first version made its tables one by one: where it was ended meanwhile, some of them are there. */
const FIRST = `
  ${recordTable('requests')}
  ${recordTable('notices')}
  CREATE TABLE IF NOT EXISTS keyv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS keyv_expires ON keyv (expires_at) WHERE expires_at IS NOT NULL;
`;

/** A record has several subjects: a JSON list in its row, and a row for each of them in a table of their own. */
const severalSubjects = (table: string) => `
  CREATE TABLE ${table}_subjects (
    workspace TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (workspace, subject, at, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ${table}_subjects SELECT workspace, subject, at, id FROM ${table};
  DROP INDEX ${table}_subject;
  ALTER TABLE ${table} RENAME COLUMN subject TO subjects;
  UPDATE ${table} SET subjects = json_array(subjects);
  ${subjectTriggers(table)}
`;

/**
 * Whoever writes a record's row changes its lists in the same statement, or neither. Where the subjects stay the same
 * they are not touched.
 */
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

const LOCKS = `
  CREATE TABLE locks (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
  CREATE INDEX locks_until ON locks (until);
`;

/** What is found by a key (src/workspaces/member-index.ts). The second index leads from a member to its keys. */
const MEMBERS = `
  CREATE TABLE members (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    member TEXT NOT NULL,
    PRIMARY KEY (name, key, member)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX members_keys ON members (name, member);
`;

/** Each makes of one version the next, beginning with the version 0 of an empty file. */
export const STEPS: readonly string[] = [
  FIRST,
  `${severalSubjects('requests')} ${severalSubjects('notices')}`,
  LOCKS,
  `${recordTable('departures')} ${severalSubjects('departures')}`,
  MEMBERS,
];
