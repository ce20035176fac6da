/** What an admin who has saved an approval reads of the open requests that keep the former one. */
import { expect, test } from 'vitest';
import { FORMER_UNKNOWN, formerPolicyTexts } from '../../../../src/slack/features/settings/policy.ts';
import { queued } from '../../../support/requests/records.ts';

const texts = (records: number, others: number, atLeast: boolean) =>
  formerPolicyTexts({ records: Array(records).fill(queued()), others, atLeast }, []).join('\n');

test.each([
  [1, 0, false, /ago.*in <#C1>$/],
  [10, 3, false, /• and 3 more$/],
  [10, 3, true, /• and at least 3 more$/],
  [1, 0, true, /• and perhaps more: see \/countermand history$/],
])('of %i named and %i others (perhaps more: %s) ends as it should', (records, others, atLeast, end) => {
  expect(texts(records, others, atLeast)).toMatch(end);
});

test('is nothing if there are none, and where to look if not all were read', () => {
  expect(texts(0, 0, false)).toBe('');
  expect(texts(0, 0, true)).toBe(FORMER_UNKNOWN);
});
