/** The text for a customer about a request: a template, filled in with what an outsider may read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateModal } from '../../../sandbox/slack/blocks/validate.ts';
import { answered, queued } from '../../../src/catalogue/examples.ts';
import { CUSTOMER_REPLIES } from '../../../src/requests/model/kinds.ts';
import type { State } from '../../../src/requests/model/states.ts';
import { TARGET_MAX } from '../../../src/requests/use-cases/input.ts';
import { customerReplyTo } from '../../../src/requests/use-cases/possible-actions.ts';
import {
  customerText,
  noCustomerReplyText,
  readReasonLine,
  replyModal,
  USUAL_REASON_LINES,
} from '../../../src/slack/features/customer-reply.ts';
import {
  customerTextsModal,
  readCustomerTexts,
} from '../../../src/slack/features/settings/customer-texts.ts';
import { settingsModal } from '../../../src/slack/features/settings/settings-modal.ts';
import { customerTextsValues } from '../../support/isolation/form-values.ts';

const order = (reason: string, state: State = 'canceled') => ({ target: 'A-1001', reason, state });

describe('the text for a customer', () => {
  test('has words for a reason that agents choose, and for nothing that an agent wrote', () => {
    expect(customerText('replyOrderCanceled', order('Ordered twice: PO 7, see Ben'), {})).toBe(
      'Hello,\n\nYour order A-1001 has been cancelled.\nThe reason: it was ordered twice.',
    );
    for (const own of ['Suspected fraud', 'Ordered twice, says Ben', ''])
      expect(customerText('replyOrderCanceled', order(own), {})).toBe(
        'Hello,\n\nYour order A-1001 has been cancelled.',
      );
  });

  test('has no reason where somebody else has cancelled the order: nobody knows theirs', () => {
    const elsewhere = order('Ordered twice', 'already_canceled');
    expect(customerText('replyOrderCanceled', elsewhere, {})).toBe(
      'Hello,\n\nYour order A-1001 has been cancelled.',
    );
  });

  test('has the words of a reason that was typed, in other case and with a full stop', () => {
    const told = (reason: string) => customerText('replyOrderCanceled', order(reason), {});
    for (const typed of ['ordered twice', 'Ordered twice.', 'ORDERED TWICE!: PO 7'])
      expect(told(typed)).toContain('The reason: it was ordered twice.');
  });

  test('is what an admin wrote, with their words for reasons', () => {
    const settings = {
      replyOrderNotCanceled: 'Dear customer, {id} stays, though {reason}. ({id})',
      reasonsForCustomers: ['Too late = it is late', 'Too dear=it = too dear'],
    };
    const told = (reason: string) => customerText('replyOrderNotCanceled', order(reason), settings);
    expect(told('Too dear')).toBe('Dear customer, A-1001 stays, though it = too dear. (A-1001)');
    expect(told('Ordered twice')).toBe('');
  });

  test('takes the words of the reason that was chosen, where another one begins the same', () => {
    const reasonsForCustomers = ['Damaged = it broke here', 'Damaged: in transit = it broke on its way'];
    const told = (reason: string) =>
      customerText('replyOrderCanceled', order(reason), { reasonsForCustomers }).split('\n').at(-1);
    expect(told('Damaged: in transit')).toBe('The reason: it broke on its way.');
    expect(told('Damaged: in transit: by Ben')).toBe('The reason: it broke on its way.');
    expect(told('Damaged: by Ben')).toBe('The reason: it broke here.');
  });

  test('shows the id and the words as they are, whatever they look like', () => {
    const typed = fc.oneof(fc.string({ maxLength: TARGET_MAX }), fc.constantFrom('{reason}', '$&', '{id}'));
    fc.assert(
      fc.property(fc.constantFrom(...CUSTOMER_REPLIES), typed, typed, (reply, target, reason) => {
        const settings = { [reply]: 'before {id} after' };
        expect(customerText(reply, { target, reason, state: 'canceled' }, settings)).toBe(
          `before ${target} after`,
        );
      }),
    );
  });

  test('that is too long for the field is cut there, and the form says so', () => {
    const settings = {
      replyOrderCanceled: `${'Dear customer, '.repeat(60)}\n{reason}\nThe end`,
      reasonsForCustomers: [`Ordered twice = ${'x'.repeat(2_900)}`],
    };
    const long = replyModal(customerText('replyOrderCanceled', order('Ordered twice'), settings));
    expect(JSON.stringify(long)).not.toContain('The end');
    expect(JSON.stringify(long)).toContain('more than 3,000 characters');
    expect(validateModal(long)).toMatchObject({ ok: true });
    expect(JSON.stringify(replyModal('x'.repeat(3_000)))).not.toContain('characters');
  });

  test.each(['no sign', '= words', 'reason =', ' = '])('takes no line of reasons like "%s"', (line) => {
    expect(readReasonLine(line)).toBeUndefined();
  });
});

describe('the form of the texts for customers', () => {
  const read = (values: object, reasons?: string[], reasonsForCustomers?: string[]) => {
    const all = { ...customerTextsValues(''), ...values };
    const view = { private_metadata: '{}', state: { values: all } };
    return readCustomerTexts(view, { reasons, reasonsForCustomers });
  };
  const mistakes = (values: object, reasons?: string[]) => read(values, reasons).errors;
  const lines = (value: string) => ({ reasons_for_customers: { reasons_for_customers: { value } } });

  test.each([
    ['Ordered twice', '“Ordered twice” has no = between a reason and its words'],
    ['Too late =', '“Too late =” needs a reason before the = and words after it'],
    ['= it is late', '“= it is late” needs a reason before the ='],
  ])('says what the line "%s" lacks', (line, problem) => {
    expect(mistakes(lines(line))).toEqual({ reasons_for_customers: expect.stringContaining(problem) });
  });

  test('refuses words for reasons that nobody can choose, whatever their case and last full stop', () => {
    expect(mistakes(lines('ordered twice. = it was ordered twice\nWrong address = it was'))).toEqual({});
    const reasons = ['Too late.', 'Ordered twice'];
    expect(mistakes(lines('TOO LATE = it is late'), reasons)).toEqual({});
    expect(mistakes(lines('Too = a\nToo late: x = b\nordered  twice = c'), reasons)).toEqual({
      reasons_for_customers:
        '“Too”, “Too late: x” and “ordered  twice” are not among the reasons to choose from.',
    });
  });

  test('takes words for a former reason that are saved already, as requests made with it use them', () => {
    const stored = ['Ordered twice = it was ordered twice', 'Late = it is late'];
    const saved = read(lines('Ordered twice = you have it\nLate = it is late'), ['Too late'], stored);
    expect(saved.errors).toEqual({});
    expect(saved.settings.reasonsForCustomers).toEqual(['Ordered twice = you have it', 'Late = it is late']);
    expect(read(lines('Late = it is late\nWrong = c'), ['Too late'], stored).errors).toEqual({
      reasons_for_customers: '“Wrong” is not among the reasons to choose from.',
    });
  });

  test('opens with all usual words, which older requests use, and can be saved so or with others beside them', () => {
    const reasons = ['Too late', 'wrong address'];
    const opened = customerTextsModal({ settings: { reasons }, version: 1 }, {});
    const usual = USUAL_REASON_LINES.join('\n');
    expect(JSON.stringify(opened)).toContain(JSON.stringify(usual));
    const saved = read(lines(usual), reasons);
    expect(saved).toMatchObject({ errors: {}, settings: { reasonsForCustomers: undefined } });
    const { errors, settings } = read(lines(`${usual}\nToo late = it is late`), reasons);
    expect(errors).toEqual({});
    const older = order('Ordered twice');
    expect(customerText('replyOrderCanceled', older, settings)).toContain('it was ordered twice');
    expect(JSON.stringify(settingsModal({ settings: { ...settings, reasons }, version: 1 }))).not.toContain(
      'No reason to choose from',
    );
  });

  test.each(['{ID}', '{name}', '{ id }', '{}'])(
    'refuses %s in any text, which would reach customers',
    (other) => {
      const errors = Object.entries(mistakes(customerTextsValues(`{id}: {reason}\n${other}`)));
      expect(errors.map(([, text]) => text)).toEqual(
        CUSTOMER_REPLIES.map(() => `${other} is not known. Write {id} or {reason}.`),
      );
    },
  );

  test.each(['{reason}', 'The reason: {reason}.\n \n{id}: {reason}'])(
    'refuses a text of which nothing is left without a reason (%j)',
    (typed) => {
      const errors = Object.entries(mistakes(customerTextsValues(typed)));
      expect(errors.map(([, text]) => text)).toEqual(
        CUSTOMER_REPLIES.map(
          () => 'For a reason without words, this text would be empty. Add a line without {reason}.',
        ),
      );
    },
  );

  test('takes braces that enclose nothing', () => {
    expect(mistakes(customerTextsValues('a } {id} {\n{reason}'))).toEqual({});
  });
});

describe('the reply to a customer', () => {
  const said = (status: 'pending' | 'canceled' | 'approved' | 'denied' | 'sent' | 'accepted') =>
    ({ type: 'said', status }) as const;
  const refused = (code: string) => ({ type: 'refused' as const, httpStatus: 422, code, details: [] });

  test.each([
    [answered(said('canceled')), 'replyOrderCanceled'],
    [answered(said('approved')), 'replyOrderCanceled'],
    [answered(said('pending')), 'replyOrderInReview'],
    [answered(said('accepted')), 'replyOrderInReview'],
    [answered(said('denied')), 'replyOrderNotCanceled'],
    [{ ...queued(), state: 'declined' as const }, 'replyOrderNotCanceled'],
    [answered(said('sent'), { kind: 'send_offer' }), 'replyOfferSent'],
    [answered(said('canceled'), { kind: 'cancel_offer' }), 'replyOfferCanceled'],
  ])('is there for an outcome (%#)', (record, reply) => {
    expect(customerReplyTo(record)).toBe(reply);
  });

  test.each([
    ['that is on its way', queued()],
    ['whose outcome nobody knows', answered({ type: 'no_answer', why: 'timeout' })],
    [
      'that was declined when it was to be sent again, though its first call may have been received',
      { ...answered({ type: 'no_answer', why: 'timeout' }), state: 'declined' as const },
    ],
    [
      'that was declined, because an earlier one says that the order is cancelled',
      { ...queued(), state: 'declined' as const, repeats: { kind: 'cancel_order' as const } },
    ],
    ['that was refused, whatever is wrong', answered(refused('CONFLICT'))],
    [
      'that was decided, where a newer event does not say what became of it',
      { ...answered(said('approved')), word: 'on_hold' },
    ],
    ['for an offer that was refused', answered(refused('CONFLICT'), { kind: 'send_offer' })],
  ])('is not there for a request %s', (_what, record) => {
    expect(customerReplyTo(record)).toBeUndefined();
  });

  test('is not missing because the outcome is known, where a newer event has made that uncertain', () => {
    const reopened = { ...answered(said('approved')), word: 'on_hold' };
    expect(noCustomerReplyText(reopened)).toMatch(
      /because a newer event .* does not say what became of it\.$/,
    );
  });
});
