/** Names the keys in Redis. Workspaces, ids and subjects may be any text, and no two of them share a key. */

/** Encodes a part of a key that another part follows: it holds no colon. */
export const encodePart = (text: string) => text.replaceAll('%', '%25').replaceAll(':', '%3A');
export const decodePart = (text: string): string => text.replaceAll('%3A', ':').replaceAll('%25', '%');

export function recordKeys(prefix: string, name: string) {
  const key = (what: string, workspace: string) => `${prefix}:${name}:${what}:${encodePart(workspace)}`;
  return {
    /** Followed by an id: a hash of a record and its index data. */
    records: (workspace: string) => `${key('record', workspace)}:`,
    /** Followed by a subject: a sorted set of places. */
    subjects: (workspace: string) => `${key('subject', workspace)}:`,
    /** A sorted set of the subjects that can be listed themselves. */
    listedSubjects: (workspace: string) => key('subject', workspace),
    /** A hash from each slot to the id of its holder. */
    slots: (workspace: string) => key('slots', workspace),
    /** A sorted set of places. */
    list: (workspace: string) => key('list', workspace),
    /** A sorted set of ids of records with pending effects, by due time. */
    due: (workspace: string) => key('due', workspace),
    /** A sorted set of the workspaces with pending effects, by the earliest due time of each. */
    waiting: `${prefix}:${name}:due`,
    /** A sorted set of the workspaces that have records. */
    workspaces: `${prefix}:${name}:workspaces`,
  };
}

/** The number of digits of Number.MAX_SAFE_INTEGER. */
const TIME_DIGITS = 16;

/**
 * The place of a record in a list. Members of a sorted set with equal scores are ordered by bytes, so here by (at, id).
 * A page can begin after any of them, even if it is gone.
 */
export const place = ({ at, id }: { at: number; id: string }) =>
  `${String(at).padStart(TIME_DIGITS, '0')}${id}`;

/** The index at which the id begins in a place, for Lua, which counts from 1. */
export const ID_IN_PLACE: number = TIME_DIGITS + 1;

export const idInPlace = (text: string): string => text.slice(TIME_DIGITS);

export const keyvNamespace = (prefix: string, namespace: string) => `${prefix}:keyv:${encodePart(namespace)}`;

export function limitKeys(prefix: string) {
  /** @param workspace undefined: the key is shared by all workspaces. No workspace id is a star */
  const key = (what: string, workspace: string | undefined) =>
    `${prefix}:limits:${what}:${workspace === undefined ? '*' : encodePart(workspace)}`;
  return {
    /** A sorted set of all other keys of a workspace, by their expiry. */
    index: (workspace: string | undefined) => key('index', workspace),
    /** A sorted set of the callers that wait for a bucket, by their promised time. */
    queue: (workspace: string, name: string) => `${key('queue', workspace)}:${name}`,
    /** A number: when a new caller may take from a bucket. */
    free: (workspace: string, name: string) => `${key('free', workspace)}:${name}`,
    /**
     * A hash of a bucket's pause: its end (`until`), its length (`ms`), its reason (`why`), the time for a probe (`probe`), and
     * whether that has begun (`probed`).
     */
    pause: (workspace: string | undefined, name: string) => `${key('pause', workspace)}:${name}`,
  };
}
