#!/bin/sh
# Backs up the append-only files of a running Redis, on its machine. It fails if anything fails, leaves nothing then, and
# overwrites nothing.
# Usage: sh backup-redis.sh HOST PORT FOLDER
# The password of a user that may run CONFIG and INFO is in REDISCLI_AUTH, and the user's name in REDIS_USER: an argument
# would show it in the list of processes. Over TLS REDIS_CACERT names the file of the authority. REDIS_REWRITES=never says that
# auto-aof-rewrite-percentage is always 0 there.
set -eu
if [ $# != 3 ]; then echo "Usage: sh $0 HOST PORT FOLDER" >&2; exit 2; fi
umask 077
host=$1
port=$2
folder=$3
redis() {
  # redis-cli itself succeeds when Redis answers with an error.
  answer=$(redis-cli -e -h "$host" -p "$port" ${REDIS_USER:+--user "$REDIS_USER"} ${REDIS_CACERT:+--tls --cacert "$REDIS_CACERT"} "$@")
  printf '%s\n' "$answer"
}
# A pipe would hide that it failed.
redis PING > /dev/null
data=$(redis CONFIG GET dir | sed -n 2p)
appended=$(redis CONFIG GET appenddirname | sed -n 2p)
rewrite=$(redis CONFIG GET auto-aof-rewrite-percentage | sed -n 2p)
if [ -e "$folder/$appended" ]; then echo "No backup was made: $folder/$appended exists already." >&2; exit 1; fi
# With the 0 of another backup, this one would leave Redis at 0 for ever.
if [ "$rewrite" = 0 ] && [ "${REDIS_REWRITES:-}" != never ]; then
  echo 'No backup was made: auto-aof-rewrite-percentage is 0. Another backup runs, or one was cut short. In the second case set it back to 100; if it is always 0 here, set REDIS_REWRITES=never.' >&2
  exit 1
fi
# Redis must not rewrite the files while they are copied. Part of a backup must not be taken for one. Without the second trap some
# shells run none at a signal.
trap '[ $? = 0 ] || { rm -rf "$folder/${appended:?}" && rmdir "$folder" || true; } 2> /dev/null
  redis CONFIG SET auto-aof-rewrite-percentage "$rewrite" > /dev/null' EXIT
trap 'exit 1' INT TERM HUP
redis CONFIG SET auto-aof-rewrite-percentage 0 > /dev/null
waited=0
while :; do
  state=$(redis INFO persistence)
  # Files that Redis appended to once may still be there.
  case $state in *aof_enabled:1*) ;; *)
    echo 'No backup was made: appendonly is "no", so the files of Redis are out of date. Run redis-cli --user admin --askpass CONFIG SET appendonly yes. Only then set it in the configuration of Redis, too.' >&2
    exit 1 ;;
  esac
  case $state in *aof_last_write_status:ok*) ;; *)
    echo 'No backup was made: aof_last_write_status is not "ok", so the files lack what is newest. Look at the disk and the log of Redis.' >&2
    exit 1 ;;
  esac
  # A rewrite that is scheduled may begin during the copy.
  case $state in *aof_rewrite_scheduled:0*) case $state in *aof_rewrite_in_progress:0*) break ;; esac ;; esac
  waited=$((waited + 1))
  if [ "$waited" -gt 600 ]; then echo 'No backup was made: Redis has rewritten its files for ten minutes.' >&2; exit 1; fi
  sleep 1
done
mkdir -p "$folder"
# A rewrite that somebody asks for changes the manifest when it begins and when it ends.
manifest=$(cat "$data/$appended"/*.manifest)
cp -r "$data/$appended" "$folder/"
if [ "$(cat "$data/$appended"/*.manifest)" != "$manifest" ]; then
  echo 'No backup was made: Redis has rewritten its files during the copy. Try again.' >&2
  exit 1
fi
sync
