/** Draws records from plays of the simulation, until all shapes that some plays have shown are there. */
import { type Entry, NO_WORKSPACE, type RecordTypeName, type Stored } from '../../src/outbox/record-store.ts';
import { drawPlay, play } from '../simulate/play.ts';

export type Drawn = [RecordTypeName, Entry<Stored>];

/**
 * Keeps each entry that shows a path, or a word at a path, which no kept one of its type has.
 *
 * @param plays how many, the same ones each time
 */
export async function drawEntries(plays: number): Promise<Drawn[]> {
  const seen = new Set<string>();
  const kept: Drawn[] = [];
  for (let seed = 1; seed <= plays; seed++)
    await play(drawPlay(seed), {
      onEntry(type, entry) {
        const features = [...featuresOf(entry.record, type)];
        if (features.every((feature) => seen.has(feature))) return;
        for (const feature of features) seen.add(feature);
        kept.push([type, entry]);
      },
    });
  return distinct(kept);
}

/** A name of a field; ids are keys, too, and say nothing about the shape. */
const FIELD = /^[a-z][a-zA-Z]*$/;
/** A word that the code knows, such as a state. */
const WORD = /^[a-z][a-z_]*$/;

function* featuresOf(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* featuresOf(each, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      yield* featuresOf(inner, `${path}.${FIELD.test(key) ? key : '*'}`);
  } else yield typeof value === 'string' && WORD.test(value) ? `${path}=${value}` : `${path}:${typeof value}`;
}

/**
 * A record was kept at several moments of its life, and a slot may have been held by several records, one after the other:
 * the first one stays as it is, and each other one gets a name of its own. The id of some types is always the same, so it
 * is the workspace that is another one, where there is one.
 */
function distinct(drawn: readonly Drawn[]): Drawn[] {
  const taken = new Set<string>();
  return drawn.map(([type, entry], n) => {
    const { record, slot } = entry;
    const keys = [`id ${record.id}`, ...(slot === undefined ? [] : [`slot ${slot}`])].map((key) =>
      JSON.stringify([type, record.workspace, key]),
    );
    if (!keys.some((key) => taken.has(key))) {
      for (const key of keys) taken.add(key);
      return [type, entry];
    }
    const named =
      record.workspace === NO_WORKSPACE ? { id: `${record.id}-${n}` } : { workspace: copyOf(record, n) };
    return [type, { ...entry, record: { ...record, ...named } }];
  });
}

const copyOf = ({ workspace }: Stored, n: number) => `${workspace}${COPY}${n}`;

/** In the names of workspaces that hold copies. Their secrets belong to another one, and can't be opened. */
export const COPY = '-copy-';
