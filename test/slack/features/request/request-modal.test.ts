import { describe, expect, test } from 'vitest';
import { validateModal } from '../../../../sandbox/slack/blocks/validate.ts';
import { REASON_MAX, TARGET_MAX } from '../../../../src/requests/use-cases/input.ts';
import { LIMITS } from '../../../../src/slack/blocks/text.ts';
import { originIn } from '../../../../src/slack/client/links.ts';
import {
  OWN_REASON,
  readRequestForm,
  splitReason,
} from '../../../../src/slack/features/request/request-form.ts';
import { requestModal } from '../../../../src/slack/features/request/request-modal.ts';
import { requestValues } from '../../../support/isolation/form-values.ts';

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

test('an id that is too long is not in the metadata either, which Slack limits to 3,000 characters', () => {
  const known = { target: 'A'.repeat(4_000), reason: '' };
  const settings = { orderAddress: 'https://shop.example.com/orders/{id}' };
  const { private_metadata = '' } = requestModal('cancel_order', known, { settings });
  expect(private_metadata.length).toBeLessThanOrEqual(3_000);
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

test.each([
  ['ordered twice', 'Ordered twice', ''],
  ['Ordered twice.', 'Ordered twice', ''],
  ['ORDERED TWICE: PO 7.', 'Ordered twice', 'PO 7.'],
  ['too late', 'Too late.', ''],
  ['too late: x', 'Too late.', 'x'],
  ['Too late.: x', 'Too late.', 'x'],
  ['Ordered twice, says Ben', OWN_REASON, 'Ordered twice, says Ben'],
  ['Ordered', OWN_REASON, 'Ordered'],
])('the reason "%s" of a command is filled in as "%s"', (typed, chosen, written) => {
  expect(splitReason(typed, ['Ordered twice', 'Too late.'])).toEqual({ chosen, written });
});

test('an offered reason is never mistaken for the choice of own words, whatever its text', () => {
  const reasons = ['countermand:own', OWN_REASON.slice(0, LIMITS.optionText)];
  for (const reason of reasons) {
    const form = requestModal('cancel_order', { target: 'A-1', reason }, { settings: { reasons } });
    expect(validateModal(form)).toMatchObject({ ok: true });
    const values = { ...requestValues('A-1', 'C1'), reason: { reason: { value: null } } };
    const chosen = { ...values, reason_choice: { reason_choice: { selected_option: { value: reason } } } };
    const view = { private_metadata: '{}', state: { values: chosen } };
    expect(readRequestForm('cancel_order', view).request.reason).toBe(reason);
  }
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

/** What is read of a form with this metadata: without a field for the channel, if the metadata names the place of the card. */
function readWith(about: unknown) {
  const { channel, ...inThread } = requestValues('A-1', 'C1');
  const read = (values: unknown) =>
    readRequestForm('cancel_order', { private_metadata: JSON.stringify(about), state: { values } }).request;
  return { chosen: read({ channel, ...inThread }), inThread: read(inThread) };
}

describe('the message that a request is made from', () => {
  const place = { channel: 'C2', ts: '1700000000.000200', thread: '1700000000.000200' };

  test.each([
    ['in a workspace', originIn('acme-support', place)],
    ['in an organization', originIn('acme.enterprise', place)],
    ['in a workspace that Slack does not name', originIn(undefined, place)],
    ['in a thread', originIn('acme', { ...place, thread: '1600000000.000100' })],
  ])('is known by its link, and by its thread: %s', (_where, origin) => {
    const { chosen, inThread } = readWith({ origin });
    expect(chosen).toMatchObject({ channel: 'C1', message: origin.link });
    expect(inThread).toMatchObject({ channel: 'C2', thread: origin.thread });
    expect(readWith({ message: origin.link }).chosen.message).toBe(origin.link);
  });

  const { link } = originIn('acme', place);
  test.each([
    ['another site', 'https://evil.example/login'],
    ['a mention', '!channel'],
    ['a link and a mention', `${link}|this> <!channel`],
    ['a link and markup', `${link}?thread_ts=1.1&cid=C1> *Approved* <https://evil.example`],
    ['a site with a path like a workspace', 'https://evil.example/.slack.com/archives/C1/p1'],
    ['a site with an anchor like a workspace', 'https://evil.example#.slack.com/archives/C1/p1'],
    ['a long text', `https://${'a'.repeat(5_000)}.slack.com/archives/C1/p1`],
    ['a number', 7],
  ])('is unknown if its link is %s, and its thread is known', (_what, written) => {
    expect(readWith({ message: written }).chosen.message).toBeUndefined();
    const { chosen, inThread } = readWith({ origin: { ...place, link: written } });
    expect(chosen).toMatchObject({ channel: 'C1', message: undefined });
    expect(inThread).toMatchObject({ channel: 'C2', thread: place.thread });
  });

  test.each([
    ['a word', 'x'],
    ['more than a timestamp', '1.1'.repeat(20)],
    ['long', `${'1'.repeat(5_000)}.1`],
    ['a number', 7],
  ])('is unknown if its thread is %s', (_what, thread) => {
    expect(readWith({ origin: { ...place, link, thread } }).inThread).not.toHaveProperty('thread');
  });
});
