/** Keeps the recording of a session: one file for each method, event and command, with a sample of each shape. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redaction } from './redact.ts';

export type Exchange = {
  folder: 'web-api' | 'events' | 'interactivity' | 'options' | 'commands' | 'socket';
  /** The method, the event's type, the payload's type, the command. */
  name: string;
  from: 'bot' | 'slack';
  sample: object;
  /** Fields that the timeline keeps in clear: only statuses, times, error codes and emoji names. */
  timeline?: Record<string, string | number | boolean | undefined>;
  /** Left out: the exchange begins and ends when it is kept. */
  began?: Began;
};

/** The place of an exchange in the timeline, and the milliseconds from the start of the recording to its beginning. */
export type Began = { n: number; ms: number };

export type Recording = ReturnType<typeof createRecording>;

/** The most samples of a file; more of one kind add nothing. */
const MOST_SAMPLES = 20;
const NAME = /^[\w.-]{1,80}$/;

/** @param out a new folder */
export function createRecording(out: string, redaction: Redaction) {
  const start = Date.now();
  const samples = new Map<string, Map<string, object>>();
  let count = 0;
  let leftOut = 0;

  /** Marks the beginning of an exchange that is kept once it has ended. */
  function begin(): Began {
    count += 1;
    return { n: count, ms: Date.now() - start };
  }

  function note({ folder, from, began = begin(), timeline = {} }: Exchange, name: string): void {
    const line = { ...began, from, kind: folder, name, ...timeline };
    appendFileSync(join(out, 'timeline.jsonl'), `${JSON.stringify(line)}\n`);
  }

  return {
    begin,
    keep(exchange: Exchange): void {
      const plain = exchange.name.replace(/^\//, '');
      const name = NAME.test(plain) ? plain : 'other';
      note(exchange, name);
      const file = `${exchange.folder}/${name}.json`;
      const kept = samples.get(file) ?? new Map<string, object>();
      const sample = redaction.redact(exchange.sample) as object;
      const shape = [
        ...[...pathsOf(sample)].sort(),
        exchange.timeline?.['status'],
        exchange.timeline?.['error'],
      ].join(' ');
      if (kept.has(shape) || kept.size >= MOST_SAMPLES) return;
      if (!redaction.isClean(JSON.stringify(sample))) {
        leftOut += 1;
        return;
      }
      samples.set(file, kept.set(shape, sample));
      mkdirSync(join(out, exchange.folder), { recursive: true });
      writeFileSync(join(out, file), `${JSON.stringify([...kept.values()], null, 2)}\n`);
    },
    /** The number of samples by file, and of those left out because they could have revealed something. */
    summary: () => ({ files: new Map([...samples].map(([file, { size }]) => [file, size])), leftOut }),
  };
}

/** The paths of objects that are maps, and keys that are ids: such keys are not part of the shape. */
const MAPS = /\.(values|values\.\*|event_payload)$/;
const ID = /^([A-Z][A-Z0-9]{6,}|\d{10}\.\d{6})$/;

/** Returns the paths of all keys: `.channel.id`, `.messages[].blocks[].type`. */
export function pathsOf(value: unknown): Set<string> {
  const paths = new Set<string>();
  collect(value, '', paths);
  return paths;
}

function collect(value: unknown, path: string, paths: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${path}[]`, paths);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      const step = `${path}.${MAPS.test(path) || ID.test(key) ? '*' : key}`;
      paths.add(step);
      collect(item, step, paths);
    }
  }
}

/**
 * Returns the keys that `ours` has and `real` has not. It skips the content of a key that is always empty in
 * `real`: null, an empty list, a text.
 */
export function invented(ours: unknown, real: unknown): string[] {
  const known = pathsOf(real);
  const parents = new Set([...known].map(parentOf));
  return [...pathsOf(ours)].filter((path) => !known.has(path) && parents.has(parentOf(path))).sort();
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('.'));
