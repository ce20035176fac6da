import { expect, test } from 'vitest';
import { REASON_MAX, TARGET_MAX } from '../../../src/requests/use-cases/input.ts';
import { requestModal } from '../../../src/slack/features/request/request-form.ts';

const shown = (target: string, reason: string): string =>
  JSON.stringify(requestModal('cancel_order', { target, reason }));

test('an id that is too long is not filled in, since its beginning is another id, and the form says so', () => {
  const fitting = 'A'.repeat(TARGET_MAX);
  expect(shown(fitting, '')).toContain(`"initial_value":"${fitting}"`);
  expect(shown(fitting, '')).not.toContain('at most');
  const view = shown(`${fitting}A`, '');
  expect(view).not.toContain('AAAA');
  expect(view).toContain(`An id has at most ${TARGET_MAX} characters.`);
});

test('a reason of the greatest length is filled in whole', () => {
  const reason = 'y'.repeat(REASON_MAX);
  expect(shown('A-1', reason)).toContain(`"initial_value":"${reason}"`);
});

test('of a reason that is too long the beginning is filled in, in whole characters, and the form says so', () => {
  const view = shown('A-1', `${'y'.repeat(REASON_MAX - 1)}😀!`);
  expect(view).toContain(`"initial_value":"${'y'.repeat(REASON_MAX - 1)}"`);
  expect(view).toContain('Your reason has more than 1,000 characters');
  expect(shown('A-1', 'y'.repeat(REASON_MAX))).not.toContain('has more than');
});
