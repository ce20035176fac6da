/** The names of keys. Workspaces, ids and subjects may be any text, and no two of them share a key. */
import type { RecordRef } from '../../requests/ports/record-store.ts';

/** A part of a key that is not its last: it holds no colon. */
const part = (text: string) => text.replaceAll('%', '%25').replaceAll(':', '%3A');
const unpart = (text: string) => text.replaceAll('%3A', ':').replaceAll('%25', '%');

export function recordKeys(prefix: string, name: string) {
  const key = (list: string, workspace: string) => `${prefix}:${name}:${list}:${part(workspace)}`;
  return {
    /** With an id behind it: a hash of a record and what the store must know of it. */
    records: (workspace: string) => `${key('record', workspace)}:`,
    /** With a subject behind it: a sorted set of places. */
    subjects: (workspace: string) => `${key('subject', workspace)}:`,
    /** A hash: the id that holds each slot. */
    slots: (workspace: string) => key('slots', workspace),
    /** A sorted set of places. */
    list: (workspace: string) => key('list', workspace),
    /** A sorted set: the records that owe something, by when. */
    due: `${prefix}:${name}:due`,
  };
}

export const dueMember = ({ workspace, id }: RecordRef) => `${part(workspace)}:${id}`;

export function readDueMember(member: string): RecordRef {
  const colon = member.indexOf(':');
  return { workspace: unpart(member.slice(0, colon)), id: member.slice(colon + 1) };
}

/** As many digits as Number.MAX_SAFE_INTEGER has. */
const TIME_DIGITS = 16;

/**
 * Where a record stands in a list. Members of a sorted set with one score are ordered by their bytes: these so by
 * (at, id), and a page begins behind any of them, though it may be gone.
 */
export const place = ({ at, id }: { at: number; id: string }) =>
  `${String(at).padStart(TIME_DIGITS, '0')}${id}`;

/** Lua counts from 1. */
export const ID_IN_PLACE: number = TIME_DIGITS + 1;

export const idInPlace = (text: string): string => text.slice(TIME_DIGITS);

/** @param namespace what is stored */
export const keyvNamespace = (prefix: string, namespace: string) => `${prefix}:keyv:${part(namespace)}`;

export function indexKeys(prefix: string, name: string) {
  const key = (what: string) => `${prefix}:index:${part(name)}:${what}:`;
  return {
    /** With a key of the index behind it: a sorted set of members. */
    lists: key('list'),
    /** A set: the keys under which a member is listed. */
    own: (member: string) => key('member') + member,
  };
}

export function limitKeys(prefix: string) {
  /** Without a workspace: shared by all of them. No id of a workspace is a star. */
  const key = (what: string, workspace: string | undefined) =>
    `${prefix}:limits:${what}:${workspace === undefined ? '*' : part(workspace)}`;
  return {
    /** A set: all other keys of a workspace. */
    index: (workspace: string | undefined) => key('index', workspace),
    /** A sorted set: who waits for a bucket, by when it is their turn. */
    queue: (workspace: string, name: string) => `${key('queue', workspace)}:${name}`,
    /** A number: from when on somebody new may take from a bucket. */
    free: (workspace: string, name: string) => `${key('free', workspace)}:${name}`,
    /** A hash: until when nobody gets anything from a bucket, and why. */
    pause: (workspace: string | undefined, name: string) => `${key('pause', workspace)}:${name}`,
  };
}

/** A text: who holds it. */
export const lockKey = (prefix: string, name: string) => `${prefix}:lock:${name}`;
