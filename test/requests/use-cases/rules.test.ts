import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  channelProblem,
  mayAdminister,
  personProblem,
  TARGET_MAX,
  targetProblem,
  trimmedId,
} from '../../../src/requests/use-cases/rules.ts';
import { COMPANY, directoryOf, OUTSIDERS } from '../../support/requests/workspace.ts';

describe('an id', () => {
  test.each([
    ['A-1001', undefined],
    ['a b', undefined],
    ['Größe-7', undefined],
    ['', 'missing'],
    ['x'.repeat(TARGET_MAX + 1), 'too_long'],
    ['..', 'not_an_id'],
    ['../token', 'has_slash'],
    ['a\\b', 'has_slash'],
    ['a\nb', 'unprintable'],
    ['a\u0000', 'unprintable'],
    ['A-1\u200d', 'unprintable'],
    ['\u202eA-1', 'unprintable'],
    ['\ud800', 'unprintable'],
  ])('%j has the problem %s', (id, problem) => {
    expect(targetProblem(id)).toBe(problem);
  });

  test.each([
    [' A-1001 ', 'A-1001'],
    ['A-1001.', 'A-1001'],
    ['A-1001, !?', 'A-1001'],
    ['A.1', 'A.1'],
    ['A-1-', 'A-1-'],
    ['A(1)', 'A(1)'],
    ['..', '..'],
    ['  ', ''],
  ])('%j is meant as %j', (typed, id) => {
    expect(trimmedId(typed)).toBe(id);
  });

  test('is trimmed once and for all, and only at its ends', () => {
    const text = fc.string({ unit: fc.constantFrom('A', '1', '-', '.', ' ', ',', '”'), maxLength: 12 });
    fc.assert(
      fc.property(text, (typed) => {
        const id = trimmedId(typed);
        expect(trimmedId(id)).toBe(id);
        expect(typed.trim().startsWith(id)).toBe(true);
      }),
    );
  });
});

const SHARED = { id: 'C1', isPrivate: false, isShared: true, isArchived: false, isMember: true };

describe('a shared channel', () => {
  test.each([
    ['is refused', SHARED, undefined, 'shared'],
    ['is refused where an admin has not allowed it', SHARED, false, 'shared'],
    ['is taken where an admin allows it', SHARED, true, undefined],
    ['that is archived is refused all the same', { ...SHARED, isArchived: true }, true, 'archived'],
    [
      'that is private needs an invitation all the same',
      { ...SHARED, isPrivate: true, isMember: false },
      true,
      'not_member',
    ],
  ] as const)('%s', (_name, channel, mayBeShared, problem) => {
    expect(channelProblem(channel, mayBeShared)).toBe(problem);
  });
});

describe('a person', () => {
  const person = (id: string) => directoryOf(COMPANY).person('T1', id);

  test.each(OUTSIDERS)('%s may neither request nor vote nor decide: %s', async (id, problem) => {
    expect(personProblem(await person(id))).toBe(problem);
  });

  test('may administer who is an admin and a full member', async () => {
    expect([mayAdminister(await person('UADMIN')), mayAdminister(await person('U1'))]).toEqual([true, false]);
    const directory = directoryOf({ ...COMPANY, people: { UADMIN: { isAdmin: true, isGuest: true } } });
    expect(mayAdminister(await directory.person('T1', 'UADMIN'))).toBe(false);
    expect(mayAdminister(undefined)).toBe(false);
  });
});
