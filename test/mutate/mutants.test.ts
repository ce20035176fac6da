import { describe, expect, test } from 'vitest';
import { mutated } from './applied.ts';
import { drawMutants, FOLDERS } from './draw.ts';
import { changedLine, EQUIVALENTS } from './equivalents.ts';
import { KINDS, mutantsOf } from './mutants.ts';

const SOURCE = `import { log } from './log.ts';
export type Limits = { most: 5 };
export async function admit(queue: Queue, most: number): Promise<boolean> {
  if (queue.length > most && queue.isOpen) return false;
  log.warn({ queue }, 'queue is full');
  await queue.put(most, 3);
  return true;
}
const wait = (ms: number) => later(ms);
`;

const changed = (kind: string) =>
  mutantsOf(SOURCE)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => mutated(mutant, SOURCE))
    .map((source) => source.split('\n').filter((line) => !SOURCE.split('\n').includes(line)))
    .map((lines) => lines.map((line) => line.trim()).join(' '));

describe('the mutants of a source', () => {
  test('negate a condition, and take "or" for "and"', () => {
    expect(changed('condition')).toEqual([
      'if (!(queue.length > most && queue.isOpen)) return false;',
      'if ((queue.length > most) || (queue.isOpen)) return false;',
    ]);
  });

  test('compare a little differently', () => {
    expect(changed('comparison')).toEqual(['if ((queue.length) >= (most) && queue.isOpen) return false;']);
  });

  test('change numbers and booleans, but not those of types', () => {
    expect(changed('constant')).toEqual([
      'if (queue.length > most && queue.isOpen) return true;',
      'await queue.put(most, 4);',
      'return false;',
    ]);
  });

  test('swap no arguments whose order does not matter', () => {
    expect(mutantsOf('export const soon = Math.min(first(), second());')).toEqual([]);
  });

  test('double large numbers, which nobody can tell from the next', () => {
    const [mutant] = mutantsOf('export const LIMITS = { waitMs: 60_000 };');
    expect(mutant).toMatchObject({ kind: 'constant', from: '60_000', to: '120000' });
  });

  test('leave out a statement, but no line of the log', () => {
    expect(changed('statement')).toEqual([';', ';']);
  });

  test('do not wait, and swap arguments, but not those of the log', () => {
    expect(changed('await')).toEqual(['queue.put(most, 3);']);
    expect(changed('arguments')).toEqual(['await queue.put(3, most);']);
  });

  test('name the function of the module around them', () => {
    expect(new Set(mutantsOf(SOURCE).map(({ within }) => within))).toEqual(new Set(['admit']));
  });

  test('are not applied to a source that has changed', () => {
    const [first] = mutantsOf(SOURCE);
    expect(() => mutated(first as NonNullable<typeof first>, `\n${SOURCE}`)).toThrow('does not hold');
  });
});

describe('the draw', () => {
  test.each(FOLDERS)('finds mutants in %s', (folder) => {
    expect(drawMutants(folder, 12, 1).length).toBeGreaterThan(6);
  });

  test('is the same for the same seed', () => {
    expect(drawMutants('src/jobs', 12, 1)).toEqual(drawMutants('src/jobs', 12, 1));
  });

  test('has some of each kind', () => {
    expect(new Set(drawMutants('src/requests', 12, 1).map(({ kind }) => kind))).toEqual(new Set(KINDS));
  });

  test('refuses a path without a source', () => {
    expect(() => drawMutants('src/nowhere', 1, 1)).toThrow('There is no source');
  });
});

test.each(EQUIVALENTS)('the equivalent "$line" is a mutant of its file', ({ file, line }) => {
  expect(drawMutants(file, Number.POSITIVE_INFINITY, 1).map(changedLine)).toContain(line);
});
