/** A text that people or the order service typed is shown as typed: it becomes no link, mention, emoji, date or formatting. */
import { describe, expect, test } from 'vitest';
import { type Drawn, drawMrkdwn, drawnIn } from '../../sandbox/slack/render/drawn.ts';
import { newSettingsNotice } from '../../src/requests/model/notices/notice.ts';
import { newEventNotice } from '../../src/requests/model/notices/unmatched-events.ts';
import { textModal } from '../../src/slack/blocks/forms.ts';
import { code, escaped, textMessage } from '../../src/slack/blocks/text.ts';
import { offer } from '../../src/slack/features/mention.ts';
import { requestModal } from '../../src/slack/features/request/request-modal.ts';
import { groupOption } from '../../src/slack/features/settings/choices.ts';
import { settingsModal } from '../../src/slack/features/settings/settings-modal.ts';
import { subBrandsModal } from '../../src/slack/features/sub-brands.ts';
import type { CommandArgs, ListenerDeps } from '../../src/slack/listeners/listener.ts';
import { noticeMessage } from '../../src/slack/messages/content/notice.ts';
import {
  disconnectedText,
  doubtSentence,
  formerTokenText,
} from '../../src/slack/messages/sentences/connection-texts.ts';
import { settingLines } from '../../src/slack/messages/sentences/settings-texts.ts';
import { slackRoutes } from '../../src/slack/routes.ts';
import { event, T0 } from '../support/requests/records.ts';
import { HOSTILE, HOSTILE_LINES } from '../support/typed/hostile.ts';
import { anyRecords, DECLINED, type Rendering, renderingsOf } from '../support/typed/renderings.ts';

/** A text of which Slack makes nothing. */
const HARMLESS = 'Zebra';

const PLACE = '…typed…';

/** Returns what Slack draws, with a place in it for what was typed. */
function drawnAround(shown: unknown, typed: string): Drawn[] {
  const parts: Drawn[] = [];
  for (const { kind, text } of drawnIn(shown)) {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  }
  return parts.map(({ kind, text }) => ({ kind, text: text.replaceAll(typed, PLACE) }));
}

/** Reads the texts of messages as Slack does where it draws no blocks: in notifications. */
function kindsWithoutBlocks(shown: unknown): string[] {
  return [shown].flat().flatMap((each) => {
    if (typeof each !== 'object' || each === null || !('text' in each) || !('blocks' in each)) return [];
    const kinds = drawMrkdwn(String(each.text), true).map(({ kind }) => kind);
    return kinds.filter((kind, n) => kind !== kinds[n - 1]);
  });
}

/** Draws and notifies as Slack does, for comparison. The same is said of many records, and drawing takes long. */
const drawings = new Map<string, string>();
function drawing(shown: unknown, typed: string): string {
  const key = JSON.stringify([typed, shown]);
  const drawn = drawings.get(key) ?? JSON.stringify([drawnAround(shown, typed), kindsWithoutBlocks(shown)]);
  drawings.set(key, drawn);
  return drawn;
}

/** The characters that set the direction of text. They are shown nowhere: the words of the bot could be reversed. */
const DIRECTIONS = /\p{Bidi_Control}/gu;

/** The texts that are not shown as they were typed. */
function notAsTyped(render: Rendering, texts: readonly string[]): string[] {
  const harmless = drawing(render(HARMLESS), HARMLESS);
  return texts.filter((typed) => drawing(render(typed), typed.replace(DIRECTIONS, '')) !== harmless);
}

const notice = (text: string) => textModal('Title', text);

const BRAND = { id: 'b1', name: 'Acme' };
const PAGE = { text: '', page: 0 };

const ELSEWHERE: Record<string, Rendering> = {
  'a paragraph': (typed) => textMessage(`*Bold ${escaped(typed)}*, then ${escaped(typed)}: ${code(typed)}`),
  'the form of a request': (typed) =>
    requestModal('cancel_order', { target: typed, reason: typed }, { settings: { reasons: [typed] } }),
  'the answer to a mention': (typed) => [offer('T1', { kind: 'cancel_order', target: typed })],
  'a sub-brand': (typed) =>
    subBrandsModal(
      {
        type: 'found',
        brands: [
          { ...BRAND, name: typed },
          { ...BRAND, id: typed },
        ],
      },
      PAGE,
    ),
  'a refusal of the sub-brands': (typed) =>
    subBrandsModal({ type: 'refused', status: 403, code: typed, message: typed }, PAGE),
  'an event that matches nothing': (typed) => [
    announced({ target: typed }),
    announced({ target: typed, status: 'accepted', word: typed }),
  ],
  'a doubtful token': (typed) => [
    notice(doubtSentence({ type: 'limited', code: typed })),
    notice(doubtSentence({ type: 'unverified', code: typed })),
    notice(formerTokenText({ type: 'unknown', code: typed, error: new Error(typed) }, 'REFERENCE')),
  ],
  'a token that may be revoked': (typed) => {
    const revocation = { type: 'unknown', code: typed, error: new Error(typed) } as const;
    return notice(disconnectedText({ type: 'not_revoked', revocation }, 'slack', 'REFERENCE'));
  },
  'a change of settings': (typed) => [
    noticeMessage(changedSettings(typed)),
    noticeMessage(changedSettings('A'), { people: () => escaped(typed), group: () => escaped(typed) }),
  ],
  'settings in force': (typed) =>
    notice(settingLines({ reasons: [typed], orderIdPattern: typed, ticketHosts: [typed] }).join('\n')),
  'the settings, with words for a reason that has gone': (typed) =>
    settingsModal({ settings: { reasonsForCustomers: [`${typed} = x`] }, version: 1 }).blocks.filter(
      (block) => JSON.stringify(block).includes('No reason'),
    ),
  'a user group': (typed) => groupOption({ id: 'S1', name: typed }),
};

const changedSettings = (typed: string) =>
  newSettingsNotice({
    workspace: 'T1',
    channel: 'C1',
    by: 'UOLGA',
    at: T0,
    former: undefined,
    changes: {
      requesters: { from: null, to: 'S1' },
      reasons: { from: [typed], to: [typed] },
      orderIdPattern: { from: typed, to: typed },
      orderAddress: { from: typed, to: typed },
      ticketHosts: { from: [typed], to: null },
      [typed]: { from: null, to: null },
    },
  });

const announced = (given: Parameters<typeof event>[0]) =>
  noticeMessage(
    newEventNotice({ workspace: 'T1', kind: 'cancel_order', event: event(given), channel: 'C1' }, T0),
  );

describe('what was typed is shown as typed', async () => {
  test.each(Object.entries(ELSEWHERE))('in %s', (_name, render) => {
    expect(notAsTyped(render, HOSTILE)).toEqual([]);
  });

  const records = await anyRecords();
  test.each([...records])('in everything about a request: %s', (_name, record) => {
    const broken = Object.entries(renderingsOf(record)).flatMap(([name, render]) =>
      notAsTyped(render, HOSTILE).map((typed) => `${name}: ${typed}`),
    );
    expect(broken).toEqual([]);
  });

  test.each(Object.entries(renderingsOf(DECLINED, ['reason'])))(
    'where a reason has several lines: %s',
    (_name, render) => {
      expect(notAsTyped(render, HOSTILE_LINES)).toEqual([]);
    },
  );

  test('in the answer to an unknown word after /countermand', async () => {
    const directory = { person: async () => ({ ownTeam: true }) };
    const deps = { directory, after: () => () => {} } as unknown as ListenerDeps;
    const command = slackRoutes(deps).commands['/countermand'];
    for (const typed of HOSTILE.filter((text) => !/\s/.test(text))) {
      const answers: unknown[] = [];
      const ack = async (answer: unknown) => void answers.push(answer);
      const args = { ack, command: { text: typed, user_id: 'U1' }, context: { teamId: 'T1' } };
      await command?.(args as unknown as CommandArgs);
      expect(drawnAround(answers, typed)[0]).toEqual({
        kind: 'text',
        text: `I do not know “/countermand ${PLACE}”. This is what I can do:\n• `,
      });
    }
  });
});
