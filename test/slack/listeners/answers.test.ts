import { webApi } from '@slack/bolt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTokenRefused, TOKEN_REFUSED } from '../../../src/slack/client/access.ts';
import { answerClick, failureSentence } from '../../../src/slack/listeners/answers.ts';
import { SLACK_SENTENCES } from '../../../src/slack/messages/sentences/problems.ts';

/** Says what a person reads, and what is logged. */
function failed(error: unknown) {
  const lines: { level: string; fields: object }[] = [];
  const at = (level: string) => (fields: object) => void lines.push({ level, fields });
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { sentence: failureSentence(log, error, { listener: 'ask' }), lines };
}

test('a private answer to a click replaces no card, and stands in the thread of a reply', async () => {
  const answered = async (message?: object) => {
    const given: unknown[] = [];
    const respond = async (answer: unknown) => void given.push(answer);
    await answerClick({ body: { message }, respond } as never, 'Too late.');
    return given;
  };
  const answer = { response_type: 'ephemeral', replace_original: false, text: 'Too late.' };
  const placed = (place: object = {}) => [{ ...answer, ...place, blocks: expect.anything() }];
  expect(await answered({ ts: '1.1' })).toEqual(placed());
  // Slack names the thread of a card that has replies.
  expect(await answered({ ts: '1.1', thread_ts: '1.1' })).toEqual(placed());
  expect(await answered({ ts: '1.2', thread_ts: '1.1' })).toEqual(placed({ thread_ts: '1.1' }));
  expect(await answered()).toEqual(placed());
});

const refusal = (code: string) => new webApi.WebAPIPlatformError({ ok: false, error: code });

test.each([
  ['restricted_action', 'a setting of this workspace limits who may post there'],
  ['ekm_access_denied', 'the admins of this workspace have suspended posting there'],
  ['plan_upgrade_required', "this workspace's plan has no user groups"],
  ['channel_is_limited_access', 'access to that channel is limited'],
])('%s is understood: a warning in the log, and no reference for anybody', (code, why) => {
  const { sentence, lines } = failed(refusal(code));
  expect(sentence).toBe(
    `Slack did not allow this: ${why}. Nothing more was done. Ask an admin of this workspace for help.`,
  );
  expect(lines).toEqual([{ level: 'warn', fields: { listener: 'ask', slack: code } }]);
});

test('a code that nobody knows is named, with a reference that is in the log', () => {
  const { sentence, lines } = failed(refusal('a_code_of_tomorrow'));
  const [, reference] = /give an admin this reference: ([A-Z0-9]{8})\.$/.exec(sentence) ?? [];
  expect(sentence).toContain('Slack did not allow this (a_code_of_tomorrow). Nothing more was done.');
  expect(lines).toEqual([{ level: expect.anything(), fields: expect.objectContaining({ reference }) }]);
});

test('a person whom Slack asks to slow down reads so, and when to try again if Slack says', () => {
  expect(failed(refusal('ratelimited')).sentence).toBe(
    'Slack asked Countermand to slow down. Nothing more was done. Try again in a while.',
  );
});

test.each(['account_inactive', 'invalid_auth', 'not_allowed_token_type', 'not_authed', 'token_revoked'])(
  '%s refuses the token: the person reads that Countermand has to be installed again',
  (code) => {
    expect(isTokenRefused(code)).toBe(true);
    expect(failed(refusal(code)).sentence).toMatch(/Ask an admin to install Countermand again\.$/);
  },
);

test('an expired token may be renewed yet: the person is to try again before anybody installs anything', () => {
  expect(isTokenRefused('token_expired')).toBe(true);
  expect(failed(refusal('token_expired')).sentence).toBe(
    "Slack has not renewed Countermand's access yet. Nothing more was done. Try again in a minute. If it happens again, ask an admin to install Countermand again.",
  );
});

test('too many messages of the workspace pass by themselves: the person is to try again', () => {
  expect(failed(refusal('message_limit_exceeded')).sentence).toMatch(/Try again in a while\.$/);
});

test('whatever code Slack answers with, nobody reads that something went wrong in Countermand', () => {
  const known = [
    ...SLACK_SENTENCES.keys(),
    ...TOKEN_REFUSED,
    'restricted_action',
    'ratelimited',
    'rate_limited',
  ];
  const doubtful = [
    'internal_error',
    'fatal_error',
    'service_unavailable',
    'request_timeout',
    'update_failed',
  ];
  const codes = fc.stringMatching(/^[a-z][a-z0-9_]{0,60}$/).filter((code) => !doubtful.includes(code));
  fc.assert(
    fc.property(fc.oneof(codes, fc.constantFrom(...known)), (code) => {
      const { sentence, lines } = failed(refusal(code));
      expect(sentence).not.toContain('went wrong in Countermand');
      expect(sentence).toContain('Nothing more was done.');
      expect(lines).toHaveLength(1);
    }),
  );
});

test('what is no answer of Slack is a fault, with a reference that is in the log', () => {
  const { sentence, lines } = failed(new TypeError('x'));
  const [, reference] = /give an admin this reference: ([A-Z0-9]{8})/.exec(sentence) ?? [];
  expect(lines).toEqual([{ level: 'error', fields: expect.objectContaining({ reference }) }]);
});

test('an error after which a call may have had an effect is no refusal of Slack', () => {
  const { sentence } = failed(refusal('internal_error'));
  expect(sentence.replace(/[A-Z0-9]{8}/, '')).toBe(
    failed(new TypeError('x')).sentence.replace(/[A-Z0-9]{8}/, ''),
  );
});
