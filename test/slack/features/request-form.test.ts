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

test('the channel of the moment is chosen beforehand, unless it is the one that cannot be used', () => {
  const known = { target: 'A-1', reason: '' };
  const origin = { channel: 'D1', thread: '1.1', link: 'https://acme.slack.com/archives/D1/p11' };
  const form = (more: object) => JSON.stringify(requestModal('cancel_order', { ...known, ...more }));
  expect(form({})).toContain('default_to_current_conversation');
  expect(form({ origin, noReply: 'not_visible' })).toContain('Channel for updates');
  expect(form({ origin, noReply: 'not_visible' })).not.toContain('default_to_current_conversation');
  // The bot can be invited there.
  expect(form({ origin, noReply: 'not_member' })).toContain('default_to_current_conversation');
});
