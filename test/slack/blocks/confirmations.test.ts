/**
 * A button or form that asks for a confirmation: its title asks what is done, its text says what follows, and its buttons
 * name both choices.
 */
import type { types } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { withPause } from '../../../src/requests/model/acts.ts';
import { BUTTON } from '../../../src/requests/model/approval.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import { withProblem } from '../../../src/requests/model/record-notes.ts';
import { recordableActions } from '../../../src/requests/use-cases/possible-actions.ts';
import { declineModal } from '../../../src/slack/features/approval.ts';
import { connectModal } from '../../../src/slack/features/connection/connect-form.ts';
import { disconnectModal } from '../../../src/slack/features/connection/index.ts';
import { outcomeModal } from '../../../src/slack/features/record-outcome.ts';
import { withdrawFirstModal, withdrawModal } from '../../../src/slack/features/resolve.ts';
import { settingsModal } from '../../../src/slack/features/settings/settings-modal.ts';
import { decisionButtons } from '../../../src/slack/messages/content/buttons.ts';
import { card } from '../../../src/slack/messages/content/card.ts';
import { POLICY, waitingRecord } from '../../support/requests/approval-policy.ts';
import { answered, CLICK, queued, T0 } from '../../support/requests/records.ts';
import { shownIn } from '../../support/shown.ts';
import { anyRecords } from '../../support/typed/renderings.ts';

type Asked = { title: string; text: string; yes: string; no: string };

/** The questions that buttons ask, wherever the buttons are. */
function questionsIn(value: unknown): Asked[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('confirm' in value && 'deny' in value) {
    const { title, text, confirm, deny } = value as types.ConfirmationDialog;
    return [{ title: title?.text ?? '', text: text.text, yes: confirm?.text ?? '', no: deny?.text ?? '' }];
  }
  return Object.values(value).flatMap(questionsIn);
}

const approveQuestionIn = (record: RequestRecord): string =>
  questionsIn(decisionButtons(record)).find(({ yes }) => yes === 'Approve')?.text ?? '';

const askedBy = ({ title, blocks, submit, close }: types.ModalView): Asked => ({
  title: title.text,
  text: shownIn({ text: '', blocks: blocks.slice(0, 3) }),
  yes: submit?.text ?? '',
  no: close?.text ?? '',
});

const unknown = answered({ type: 'no_answer', why: 'timeout' });
const refused = answered({ type: 'refused', httpStatus: 409, details: [] });
const plan = { type: 'connected', generation: 'g', revokes: true, pending: true } as const;

describe('a confirmation', async () => {
  const buttons = [...(await anyRecords()).values()].flatMap((record) => questionsIn(card(record)));
  const settings = [undefined, { by: 'UOLGA', at: T0 }].flatMap((paused) =>
    questionsIn(settingsModal({ settings: paused ? { paused } : {}, version: 1 })),
  );
  const forms = [
    withdrawFirstModal('There is an open request.', queued()),
    withdrawModal(waitingRecord()),
    ...[...(await anyRecords()).values()]
      .filter((record) => recordableActions(record).length > 0)
      .map((record) => outcomeModal(record, recordableActions(record))),
    disconnectModal(plan),
    connectModal({ hasSecret: true, hasToken: true }),
    declineModal(CLICK, waitingRecord()),
  ].map(askedBy);
  const all = new Map(
    [...buttons, ...settings, ...forms].map((asked) => [`${asked.title} ${asked.yes}`, asked]),
  );

  test.each([...all])(
    'asks, says what follows, and names both choices: %s',
    (_name, { title, text, yes, no }) => {
      expect(title).toMatch(/^[A-Z].*\?$/);
      expect(text).toMatch(/\w+ \w+.*\./);
      expect(text).not.toBe(title);
      expect(yes).not.toBe(no);
      // The first words say what is done, in the title and on the button.
      expect(title.split(' ')[0]).toBe(yes.split(' ')[0]);
      for (const label of [yes, no]) expect(label).not.toMatch(/^(Close|Cancel|OK|Yes|No|Go back|Not now|)$/);
    },
  );

  test('is asked for each of these', () => {
    expect([...new Set([...all.values()].map(({ title }) => title))].sort()).toEqual([
      'Approve this request?',
      'Connect again?',
      'Correct the outcome?',
      'Decline this request?',
      'Disconnect workspace?',
      'Pause sending?',
      'Record the outcome?',
      'Resume sending?',
      'Send this request again?',
      'Send this request?',
      'Withdraw this request?',
    ]);
  });

  test('that records an outcome does not name the card, which may have been deleted', () => {
    const shown = askedBy(outcomeModal(unknown, recordableActions(unknown)));
    expect(shown.text).not.toContain('card');
  });

  test('that withdraws a request on top of the form of another one says which one is not sent again', () => {
    const { blocks } = withdrawFirstModal(
      'There is an open request.',
      answered({ type: 'said', status: 'pending' }),
    );
    expect(shownIn({ text: '', blocks })).toContain('The withdrawn request is not sent again, but');
  });

  test.each([
    [1, [], 'One approval decides: once'],
    [2, ['UDEV'], 'One more approval decides: once'],
    [2, [], '2 approvals are needed. Once'],
    [3, ['UDEV'], '2 more approvals are needed. Once'],
  ])('to approve says how many approvals are missing (of %i, given: %j)', (quorum, voters, text) => {
    const record = waitingRecord({ ...POLICY, quorum });
    const vote = { source: BUTTON, choice: 'yes' as const, addedAt: 1, removedAt: 0 };
    const votes = voters.map((by) => ({ ...vote, by }));
    const voted = { ...record, ...(record.approval && { approval: { ...record.approval, votes } }) };
    expect(approveQuestionIn(voted).startsWith(text)).toBe(true);
  });

  test('to approve says, while sending is paused, that nobody can decide until it is resumed', () => {
    const paused = (quorum: number) =>
      approveQuestionIn(withPause(waitingRecord({ ...POLICY, quorum }), { by: 'UOLGA', at: T0 }, T0));
    const asked = 'I ask the order service to cancel order A-1001.';
    expect(paused(1)).toBe(
      `Nobody can decide until an admin resumes sending. Then one approval decides: once it is given and checked, ${asked}`,
    );
    expect(paused(2)).toBe(
      `Nobody can decide until an admin resumes sending. 2 approvals are needed. Once enough approvers have approved, ${asked}`,
    );
  });

  test('to approve says so, too, while a problem keeps all approvers from deciding', () => {
    const one = waitingRecord({ ...POLICY, quorum: 1 });
    expect(approveQuestionIn(withProblem(one, 'group_unreadable', T0))).toContain(
      'Nobody can decide until the problem with the approval is fixed. Then one approval decides: once',
    );
    expect(approveQuestionIn(withProblem(one, 'reactions_unreadable', T0))).toBe(approveQuestionIn(one));
  });

  test.each([
    [
      'a request that was not sent',
      waitingRecord(),
      'This request is not sent: the order service is not asked to cancel order A-1001.',
    ],
    [
      'a request that may have been received',
      { ...waitingRecord(), steps: unknown.steps, call: unknown.call },
      'This request is not sent again, but an earlier call may have been received: look order A-1001 up in the order service.',
    ],
    [
      'a request that was refused before',
      { ...waitingRecord(), steps: refused.steps, call: refused.call },
      'This request is not sent again.',
    ],
  ])('says of %s what withdrawing it means', (_name, record, text) => {
    expect(questionsIn(card(record))).toContainEqual({
      title: 'Withdraw this request?',
      text,
      yes: 'Withdraw',
      no: 'Keep the request',
    });
  });
});
