/** Keeps the recording of a session: one file for each method, event and command, with a sample of each shape. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redaction } from './redact.ts';
import { pathsOf } from './shape.ts';

export const FOLDERS = ['web-api', 'events', 'interactivity', 'options', 'commands', 'socket'] as const;

export type Exchange = {
  folder: (typeof FOLDERS)[number];
  /** The method, the event's type, the payload's type, the command. */
  name: string;
  /** The side that began it. */
  from: 'bot' | 'slack';
  /** The raw request or frame. */
  sample: object;
  /** Fields that the timeline keeps in clear: only statuses, times, error codes and emoji names. */
  timeline?: Record<string, string | number | boolean | undefined>;
  /** Left out: the exchange begins and ends when it is kept. */
  began?: Began;
};

/** The place of an exchange in the timeline, and when it began. */
export type Began = { n: number; ms: number };

export type Recording = {
  /** Marks the beginning of an exchange that is kept once it has ended. */
  begin(): Began;
  keep(exchange: Exchange): void;
  /** The number of samples kept by file, and the number of samples left out because they could have revealed something. */
  summary(): { files: ReadonlyMap<string, number>; leftOut: number };
};

/** The most samples of a file; more of one kind add nothing. */
const MOST_SAMPLES = 20;
const NAME = /^[\w.-]{1,80}$/;

/** @param out a new folder */
export function createRecording(out: string, redaction: Redaction, now: () => number): Recording {
  const start = now();
  const samples = new Map<string, Map<string, object>>();
  let count = 0;
  let leftOut = 0;
  for (const folder of FOLDERS) mkdirSync(join(out, folder), { recursive: true });

  function begin(): Began {
    count += 1;
    return { n: count, ms: now() - start };
  }

  function note({ folder, from, began = begin(), timeline = {} }: Exchange, name: string): void {
    const line = { ...began, from, kind: folder, name, ...timeline };
    appendFileSync(join(out, 'timeline.jsonl'), `${JSON.stringify(line)}\n`);
  }

  return {
    begin,
    keep(exchange) {
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
      writeFileSync(join(out, file), `${JSON.stringify([...kept.values()], null, 2)}\n`);
    },
    summary: () => ({ files: new Map([...samples].map(([file, { size }]) => [file, size])), leftOut }),
  };
}
