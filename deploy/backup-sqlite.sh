#!/bin/sh
# Backs up the SQLite database and its key while the bot runs. It fails if anything fails, leaves nothing then, and overwrites
# nothing.
# Usage: sh backup-sqlite.sh DATABASE FOLDER
set -eu
if [ $# != 2 ]; then echo "Usage: sh $0 DATABASE FOLDER" >&2; exit 2; fi
umask 077
database=$1
folder=$2
mkdir -p "$folder"
# Takes the name at once: a second backup to this folder fails here, and removes nothing of the first one. A key alone is that of a
# backup that was compressed or moved away, and may be an older one.
if [ -e "$folder/countermand.db.key" ] || ! (set -C; : > "$folder/countermand.db") 2> /dev/null; then
  why='cannot be written'
  if [ -e "$folder/countermand.db" ]; then why='exists already'; fi
  if [ -e "$folder/countermand.db.key" ]; then why='or its key exists already'; fi
  echo "No backup was made: $folder/countermand.db $why." >&2
  exit 1
fi
# Part of a backup must not be taken for one. Without the second trap some shells run none at a signal.
trap '[ $? = 0 ] || { rm -f "$folder/countermand.db" "$folder/countermand.db.key"; rmdir "$folder" || true; } 2> /dev/null' EXIT
trap 'exit 1' INT TERM HUP
# A copy of the file alone lacks the latest writes, which are in -wal.
node --eval '
  const [from, to] = process.argv.slice(1);
  try {
    if (Number(process.versions.node.split(".")[0]) < 26) throw new Error(`node is ${process.version}; it must be 26 or newer`);
    const { existsSync } = require("node:fs");
    if (!existsSync(from)) throw new Error(`there is no file ${from}`);
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(from, { readOnly: true });
    database.prepare("VACUUM INTO ?").run(to);
    database.close();
    const [{ integrity_check: found }] = new DatabaseSync(to, { readOnly: true }).prepare("PRAGMA integrity_check").all();
    if (found !== "ok") throw new Error(`the backup is damaged: ${found}`);
  } catch (error) {
    console.error(`No backup was made: ${error.message}.`);
    process.exit(1);
  }
' "$database" "$folder/countermand.db"
# The key is beside the file itself, not beside a symbolic link to it (src/storage/sqlite/open.ts). With SECRET_KEYS there is none.
key=$(readlink -f "$database").key
if [ -e "$key" ]; then cp "$key" "$folder/countermand.db.key"; fi
sync
