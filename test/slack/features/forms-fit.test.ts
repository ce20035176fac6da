import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { validateMessageBlocks, validateModal } from '../../../sandbox/slack/blocks/validate.ts';
import { applyEvent } from '../../../src/requests/model/events.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { replyOf } from '../../../src/requests/model/record-messages.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { ROW_ACTIONS } from '../../../src/requests/use-cases/history.ts';
import { REASON_MAX, TARGET_MAX } from '../../../src/requests/use-cases/input.ts';
import { recordableActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { textModal, waitingModal } from '../../../src/slack/blocks/forms.ts';
import { COMMANDS } from '../../../src/slack/blocks/ids.ts';
import { escaped, time, truncate } from '../../../src/slack/blocks/text.ts';
import { connectedModal, connectModal } from '../../../src/slack/features/connection/connect-form.ts';
import { CHECKING } from '../../../src/slack/features/connection/index.ts';
import { historyModal, UNFILTERED } from '../../../src/slack/features/history-modal.ts';
import { outcomeModal } from '../../../src/slack/features/record-outcome.ts';
import { readRequestForm } from '../../../src/slack/features/request/request-form.ts';
import { requestModal } from '../../../src/slack/features/request/request-modal.ts';
import { detailsModal, severalMessage, statusMessage } from '../../../src/slack/features/status.ts';
import { subBrandsModal } from '../../../src/slack/features/sub-brands.ts';
import { timeline } from '../../../src/slack/features/timeline.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { reply } from '../../../src/slack/messages/content/render.ts';
import { KIND_COPY } from '../../../src/slack/messages/sentences/request-words.ts';
import { alreadySubmittedText, slotTakenText } from '../../../src/slack/messages/sentences/result-texts.ts';
import { slackRoutes } from '../../../src/slack/routes.ts';
import { anyText } from '../../support/any-text.ts';
import { answered, anyAnswer, anyEvent, queued, T0 } from '../../support/requests/records.ts';

const LINK = 'https://acme.slack.com/archives/C1/p1';
const LINKING = { linkTo: () => LINK };

/** Text as hostile or as long as a form lets it through. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
    fc.constantFrom(
      '<!channel>',
      '<@U1>',
      '&lt;',
      '*_~`>',
      'x'.repeat(maxLength),
      '😀'.repeat(maxLength / 2),
    ),
  );

const anyRecord: fc.Arbitrary<RequestRecord> = fc
  .record({
    kind: fc.constantFrom(...KIND_NAMES),
    target: text(TARGET_MAX),
    reason: text(REASON_MAX),
    answer: anyAnswer,
    events: fc.array(anyEvent, { maxLength: 5 }),
  })
  .map(({ kind, target, reason, answer, events }) =>
    events.reduce(
      (record, event) => applyEvent(record, event, T0).record,
      answered(answer, { kind, target, reason }),
    ),
  );

const messageProblem = (blocks: unknown) => {
  const result = validateMessageBlocks(blocks);
  return result.ok ? undefined : result;
};
const modalProblem = (view: unknown) => {
  const result = validateModal(view);
  return result.ok ? undefined : result;
};

/** Control sequences that Slack would obey: only ours may be left. */
const obeyed = (shown: string) => [...shown.matchAll(/<([!@#h][^>|]*)/g)].map(([, token]) => token ?? '');

describe('whatever a request holds', () => {
  test('its card and its replies are messages that Slack takes', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const messages = [
          card(record),
          ...record.steps.filter((step) => replyOf(record, step)).map((step) => reply(record, step)),
        ];
        for (const message of messages) {
          expect(messageProblem(message.blocks)).toBeUndefined();
          expect(message.text.length).toBeLessThanOrEqual(4_000);
          expect(message.text.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('nothing of it is obeyed as a mention, a link or a command', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const messages = [
          card(record),
          ...record.steps.filter((step) => replyOf(record, step)).map((step) => reply(record, step)),
        ];
        const mrkdwn = messages.flatMap(({ blocks, text: said }) => [
          said,
          ...blocks.flatMap((block) => (block.type === 'section' && block.text ? [block.text.text] : [])),
        ]);
        for (const shown of mrkdwn) {
          for (const token of obeyed(shown)) expect(token).toMatch(/^(@U1|#C1|!date\^\d+\^.*)$/);
        }
      }),
    );
  });

  test('every view that tells of it is one that Slack takes', () => {
    fc.assert(
      fc.property(anyRecord, fc.boolean(), (record, showsReason) => {
        for (const said of [
          slotTakenText(record, record.target.toLowerCase(), 'https://x.slack.com/archives/C1/p1'),
          alreadySubmittedText(record, undefined),
        ]) {
          expect(modalProblem(textModal('Cancel an order', said))).toBeUndefined();
        }
        const { blocks } = statusMessage({ record, showsReason, link: undefined });
        expect(messageProblem(blocks)).toBeUndefined();
        expect(modalProblem(detailsModal({ record, showsReason, link: LINK }))).toBeUndefined();
        expect(messageProblem(severalMessage({ records: [record, record] }, LINKING).blocks)).toBeUndefined();
      }),
    );
  });
});

test('the status of a request fits however often it was sent again, and says how many lines it leaves out', () => {
  const failed = answered({ type: 'refused', httpStatus: 409, code: 'CONFLICT', message: '', details: [] });
  const all = Array.from({ length: 60 }, () => failed.steps).flat();
  const record = { ...failed, steps: all.map((step, i) => ({ ...step, n: i + 1 })) };
  const { blocks } = statusMessage({ record, showsReason: true, link: undefined });
  expect(messageProblem(blocks)).toBeUndefined();
  const lines = JSON.stringify(blocks).split('\\n');
  expect(lines.filter((line) => /^• \d+ earlier lines are not shown$/.test(line))).toHaveLength(1);
  expect(lines.at(-1)).toContain('Refused by the order service');
  // The terminal has room for all.
  expect(timeline(record).join('\n')).not.toContain('not shown');
});

test('the list of requests for an id fits, whatever their length, and says whether there are older ones', () => {
  const target = 'A'.repeat(TARGET_MAX);
  const orderAddress = `https://${'a'.repeat(60)}.example/${'b'.repeat(400)}/{id}`;
  const records = Array.from({ length: 10 }, () => answered({ type: 'said', status: 'denied' }, { target }));
  const linking = { ...LINKING, addresses: { orderAddress } };
  const { blocks } = severalMessage({ records, isMore: true }, linking);
  expect(messageProblem(blocks)).toBeUndefined();
  expect(JSON.stringify(blocks)).toContain('Only the newest ten are shown.');
  expect(JSON.stringify(severalMessage({ records }, linking))).not.toContain('newest ten');
});

describe('the modals', () => {
  test('are views that Slack takes, whatever is filled in before', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5_000 }), fc.string({ maxLength: 5_000 }), (target, reason) => {
        expect(modalProblem(requestModal('cancel_order', { target, reason }))).toBeUndefined();
      }),
    );
    const filled = {
      hasSecret: true,
      hasToken: true,
      exclusive: true,
      tokenKind: 'graphql' as const,
      problem: 'x'.repeat(500),
      requesters: { id: 'S1', name: 'y'.repeat(100) },
      notificationsChannel: 'C1',
      revokeFormer: true,
      facts: {
        connectedBy: 'terminal',
        connectedAt: T0,
        lastCall: T0,
        lastEvent: T0,
        paused: { state: 'paused' as const, since: T0, nextCheck: T0 },
        secrets: 2,
      },
    };
    const done = { eventsUrl: 'https://bot.example/events/x', secret: 's', warnings: ['w'] };
    for (const view of [
      connectModal({}),
      connectModal(filled),
      waitingModal(CHECKING.title, CHECKING.meanwhile),
      connectedModal(done),
      connectedModal({ ...done, secret: undefined, former: 'x'.repeat(3_100) }),
    ]) {
      expect(modalProblem(view)).toBeUndefined();
    }
  });

  test('for what is looked up are views that Slack takes, whatever it holds', () => {
    const brand = fc.record({ id: text(200), name: text(200) });
    const page = fc.record({ text: fc.string({ maxLength: 500 }), page: fc.nat(300) });
    fc.assert(
      fc.property(fc.array(brand, { maxLength: 60 }), page, (brands, shown) => {
        expect(modalProblem(subBrandsModal({ type: 'found', brands }, shown))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 10 }), (records) => {
        const next = { at: T0, id: 'x' };
        const rows = records.map((record, n) => ({
          record: { ...record, id: `r${n}` },
          actions: ROW_ACTIONS,
        }));
        const page = { type: 'page' as const, rows, next, calendar: { zone: 'UTC', today: '2026-11-21' } };
        const shown = historyModal(page, { ...UNFILTERED, day: 'date' }, LINKING);
        expect(modalProblem(shown)).toBeUndefined();
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(anyRecord, (record) => {
        const actions = recordableActions(record);
        if (actions.length > 0) expect(modalProblem(outcomeModal(record, actions))).toBeUndefined();
      }),
    );
  });

  test('a state that is not theirs is a fault, not a guess', () => {
    const view = (values: unknown) => ({ state: { values }, private_metadata: '{}' });
    expect(() => readRequestForm('cancel_order', view({}))).toThrow();
    expect(() => readRequestForm('cancel_order', view({ target: { target: { value: 7 } } }))).toThrow();
  });
});

describe('a text', () => {
  test('is cut at a limit without breaking a character', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 50 }), fc.integer({ min: 1, max: 50 }), (given, limit) => {
        const cut = truncate(given, limit);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        if (given.length <= limit) expect(cut).toBe(given);
      }),
    );
  });

  test('is shown and never obeyed', () => {
    expect(escaped('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;');
  });

  test('of a time has one that stands in for it where dates are not drawn', () => {
    expect(time(T0)).toBe(`<!date^${T0 / 1_000}^{date_short_pretty} at {time}|2026-11-21 12:00 UTC>`);
  });
});

test('the help names each command once, and shows placeholders as they are typed', async () => {
  const ack = vi.fn();
  const args = { ack, command: { text: 'help', user_id: 'U1' }, context: { teamId: 'T1' } };
  const directory = { person: async () => ({ ownTeam: true }) };
  await slackRoutes({ directory, after: () => () => {} } as never).commands['/countermand']?.(args as never);
  const { text } = ack.mock.lastCall?.[0] ?? {};
  const commands = text.split('\n').map((line: string) => /^• `([^` ]+(?: [a-z-]+)?)/.exec(line)?.[1]);
  expect(new Set(commands).size).toBe(commands.length);
  for (const command of [
    ...Object.values(COMMANDS),
    ...Object.values(KIND_COPY).map(({ command }) => command),
  ])
    expect(text).toMatch(new RegExp(`\`${command}[ \`]`));
  expect(text).toContain('`/countermand status &lt;id&gt;`');
});

test('a request that never was sent says so on its card', () => {
  const expired = transition(queued(), { type: 'expire' }, T0) as RequestRecord;
  expect(card(expired).text).toContain('could not be sent in time');
});
