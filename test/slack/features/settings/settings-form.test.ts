/** What an admin types in the settings, and what is refused at its field. */
import { expect, test } from 'vitest';
import { validateModal } from '../../../../sandbox/slack/blocks/validate.ts';
import { requestModal } from '../../../../src/slack/features/request/request-modal.ts';
import { readSettings } from '../../../../src/slack/features/settings/settings-form.ts';
import { settingsModal } from '../../../../src/slack/features/settings/settings-modal.ts';
import { settingLines } from '../../../../src/slack/messages/sentences/settings-texts.ts';
import { settingsValues } from '../../../support/isolation/form-values.ts';

const read = (id: string, value: string) =>
  readSettings({
    private_metadata: '{}',
    state: { values: { ...settingsValues({}), [id]: { [id]: { value } } } },
  });

test('the settings say which words for customers only former requests use', () => {
  const usual = 'Wrong address = the address was wrong';
  const reasonsForCustomers = ['Ordered twice = it was', '*Too* late = it is late', usual];
  const shown = (reasons?: string[]) =>
    JSON.stringify(settingsModal({ settings: { reasons, reasonsForCustomers }, version: 1 }));
  expect(shown()).toContain(
    '“*Too* late” is not among the reasons to choose from. Only requests made with such a reason before still use its words. If you have renamed a reason, change it in the replies to customers, too.',
  );
  expect(shown(['ordered twice.', '*Too* late'])).not.toContain('No reason to choose from');
});

test.each([
  ['15', 15],
  ['1000', 1_000],
  ['1,000', 1_000],
  [' 7 ', 7],
  ['', 'unlimited'],
])('the limit "%s" is %s', (typed, requestsPerHour) => {
  expect(read('requests_per_hour', typed)).toMatchObject({ settings: { requestsPerHour }, errors: {} });
});

test('a limit of a thousand is shown as the form names it', () => {
  expect(settingLines({ requestsPerHour: 1_000 }, ['requestsPerHour'])).toEqual([
    expect.stringMatching(/at most 1,000$/),
  ]);
});

test.each(['1,5', '1 5', '1.5', '10,00', ',5', '0', '1,001', '-1', 'many'])(
  'the limit "%s" is refused',
  (typed) => {
    expect(read('requests_per_hour', typed).errors).toEqual({
      requests_per_hour: 'Write a whole number from 1 to 1,000, or leave this empty for no limit.',
    });
  },
);

test.each(['*', '**'])(
  'the pattern "%s" is refused, by which the menu of a message would offer every word as an id',
  (typed) => {
    expect(read('order_id_pattern', typed).errors).toEqual({
      order_id_pattern: 'Every word matches this. Leave this empty to accept any id.',
    });
  },
);

test.each(['A-####, B-####', 'A-####,B-####', 'A-#### B-####', 'A-####\nB-####'])(
  'the pattern %j is refused, which no order id matches',
  (typed) => {
    expect(read('order_id_pattern', typed).errors).toEqual({
      order_id_pattern: 'Write one pattern, without spaces and commas. * stands for whatever differs.',
    });
  },
);

test.each(['A-####.', '(####)', '[A-*]', '<####>', '"####"', '####/####', 'A\\##', 'A%2f##', '*?'])(
  'the pattern %j is refused, which no id can match as it is read',
  (typed) => {
    expect(read('order_id_pattern', typed).errors).toEqual({
      order_id_pattern:
        'No id can match this. Leave out slashes, and the punctuation, quotes and brackets around the id.',
    });
  },
);

test('invisible characters that were pasted along are no part of a pattern or an address', () => {
  expect(read('order_id_pattern', '\u200eA-####\u200b')).toMatchObject({
    settings: { orderIdPattern: 'A-####' },
    errors: {},
  });
  expect(read('offer_address', 'https://shop.example.com/offers/\u200b{id}\u200e')).toMatchObject({
    settings: { offerAddress: 'https://shop.example.com/offers/{id}' },
    errors: {},
  });
});

test.each(['*.zendesk.com', 'https://desk.example.com', 'a.example.com, b.example.com'])(
  '“%s” is refused as the host of tickets, because no address has it',
  (typed) => {
    expect(read('ticket_hosts', typed).errors).toEqual({
      ticket_hosts: `“${typed}” is not a host name. Write only the name, such as desk.example.com.`,
    });
  },
);

/** A name of this many characters, in parts that are as long as the DNS allows. */
const hostOfLength = (length: number) =>
  `${'a'.repeat(63)}.`
    .repeat(4)
    .slice(0, length - 2)
    .concat('.b');

test('five hosts with the longest names are taken, and the hint of the form that lists them fits', () => {
  const hosts = [1, 2, 3, 4, 5].map((n) => `${n}${hostOfLength(253).slice(1)}:6553${n}`);
  const { settings, errors } = read('ticket_hosts', hosts.join('\n'));
  expect(errors).toEqual({});
  expect(settings.ticketHosts).toEqual(hosts);
  const form = requestModal('cancel_order', { target: '', reason: '' }, { settings });
  expect(validateModal(form)).toMatchObject({ ok: true });
});

test('a host with a longer name is refused: the form that lists five of them would be too long for Slack', () => {
  expect(read('ticket_hosts', hostOfLength(254)).errors).toMatchObject({
    ticket_hosts: expect.stringContaining('is not a host name'),
  });
});

test('at most twenty reasons are offered', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `Reason ${n}`).join('\n');
  expect(read('reasons', lines(20)).errors).toEqual({});
  expect(read('reasons', lines(21)).errors).toEqual({ reasons: 'At most 20 reasons can be offered.' });
});

test.each(['', 'A-*', '*-#', '@*', '%##', '(@)-#', '@-(#)', '#.#'])('the pattern "%s" is taken', (typed) => {
  expect(read('order_id_pattern', typed).errors).toEqual({});
});
