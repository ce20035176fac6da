/** Property: no message in a shared channel contains the reason of a request, or of its decline. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decided } from '../../../src/requests/model/acts.ts';
import type { Answer } from '../../../src/requests/model/cause.ts';
import { withoutReasons, withSharing } from '../../../src/requests/model/channels.ts';
import { KIND_NAMES } from '../../../src/requests/model/kinds.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import {
  newApprovalMessage,
  newReply,
  notesOf,
  replyOf,
} from '../../../src/requests/model/record-messages.ts';
import { withNote } from '../../../src/requests/model/record-notes.ts';
import { endedByMistake } from '../../../src/requests/model/refusal.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { transition } from '../../../src/requests/model/transition.ts';
import { requestEntry } from '../../../src/requests/store/writes.ts';
import { toEarlier } from '../../../src/requests/use-cases/approvals/approval-needed.ts';
import { giveReason } from '../../../src/requests/use-cases/approvals/give-reason.ts';
import { statusMessage } from '../../../src/slack/features/status.ts';
import { approvalMessage, card } from '../../../src/slack/messages/content/card.ts';
import { forExternalUsers, noteMessage, render, reply } from '../../../src/slack/messages/content/render.ts';
import { markerOf } from '../../../src/slack/messages/messenger.ts';
import { tooLateText } from '../../../src/slack/messages/sentences/result-texts.ts';
import { voteFeedback } from '../../../src/slack/messages/sentences/vote-texts.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { directoryOf } from '../../support/requests/directory.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { answered, REQUEST, T0, withRepliesTo } from '../../support/requests/records.ts';

/** Nothing that the bot says by itself. */
const secret = fc.stringMatching(/^[QXZ]{8}[a-z ]{0,40}[QXZ]{8}$/);

type Fate = 'awaiting' | 'approved' | 'denied' | 'said_why' | 'refused' | 'refused_late' | 'shared_later';

function fated(fate: Fate, words: string, kind: (typeof KIND_NAMES)[number], code?: string): RequestRecord {
  const request = { ...REQUEST, kind, reason: words, inSharedChannel: fate !== 'shared_later' };
  const waiting = newRecord(request, T0, { policy: POLICY, earlier: [] });
  const by = ['U2'];
  const answer: Answer = {
    type: 'refused',
    httpStatus: 422,
    message: `It says “${words}”`,
    details: [{ field: words, error: words }],
    ...(code === undefined ? {} : { code }),
  };
  switch (fate) {
    case 'awaiting':
      return waiting;
    case 'approved':
      return decided(waiting, { type: 'decided', choice: 'yes', by }, T0);
    case 'denied':
      return decided(waiting, { type: 'decided', choice: 'no', by }, T0, words);
    case 'said_why':
      return withNote(
        decided(waiting, { type: 'decided', choice: 'no', by }, T0, words),
        { type: 'reason' },
        T0,
      );
    case 'refused':
      return answered(answer, request);
    case 'refused_late': {
      const refused = answered(answer, request);
      return transition(refused, { type: 'person', by: 'U1', action: 'retry' }, T0) ?? refused;
    }
    case 'shared_later':
      return withSharing(answered(answer, request), true, T0);
  }
}

const anyShared = fc
  .record({
    fate: fc.constantFrom<Fate>(
      'awaiting',
      'approved',
      'denied',
      'said_why',
      'refused',
      'refused_late',
      'shared_later',
    ),
    words: secret,
    kind: fc.constantFrom(...KIND_NAMES),
    code: fc.option(fc.constantFrom('OFFER_NOT_FOUND', 'VALIDATION'), { nil: undefined }),
  })
  .map(({ fate, words, kind, code }) => ({ words, record: fated(fate, words, kind, code) }));

/** The note about a reply in doubt, as it stands in the channel where the requester takes no direct messages. */
function unclearInChannel(record: RequestRecord, step: number): unknown {
  const replied = withRepliesTo(record, 'thread');
  const about = newReply(step, 'thread', T0).key;
  const [note] = notesOf(withNote(replied, { type: 'unclear', about }, T0)).slice(-1);
  return note && noteMessage(replied, { ...note, to: 'channel' });
}

/** All that is ever posted in the channel of a card. */
function postedWith(record: RequestRecord): unknown[] {
  const told = record.steps.filter((step) => replyOf(record, step));
  const steps = record.steps.filter((step) => replyOf(record, step)?.to !== 'requester');
  return [
    card(record),
    ...steps.map((step) => reply(record, step)),
    ...notesOf(record).map((note) => noteMessage(record, note)),
    ...told.map(({ n }) => unclearInChannel(record, n)),
    ...record.messages.map(({ key }) => markerOf(record, key)),
  ];
}

describe('in a shared channel', () => {
  test('no message, in its words, its blocks or its metadata, holds a reason', () => {
    fc.assert(
      fc.property(anyShared, ({ record, words }) => {
        expect(JSON.stringify(postedWith(record))).not.toContain(words);
      }),
    );
  });

  test('the same messages hold it elsewhere, so this check would notice it', () => {
    fc.assert(
      fc.property(anyShared, ({ record, words }) => {
        // The channel reads nothing about a mistake of the requester.
        fc.pre(!endedByMistake(record));
        const elsewhere = { ...record, inSharedChannel: false };
        expect(JSON.stringify(postedWith(elsewhere))).toContain(words);
      }),
    );
  });

  test('the requester reads why it was denied or refused, where only they read it', () => {
    const denied = fated('denied', 'XXXXXXXX XXXXXXXX', 'cancel_order');
    const [step] = denied.steps.slice(-1);
    if (!step) throw new Error('it has no step');
    expect(reply(withRepliesTo(denied, 'requester'), step).text).toContain('XXXXXXXX');
  });
});

describe('what a request holds of other channels', () => {
  const [insider, message, link] = ['UINSIDER', 'https://a.test/C0INTERNAL', 'https://a.test/C0EARLIER'];
  const earlier = [
    toEarlier(answered({ type: 'refused', httpStatus: 404, details: [] }, { requester: insider })),
  ];
  const request = { ...REQUEST, reason: '', message, inSharedChannel: true };
  const waiting = newRecord(request, T0, { policy: POLICY, earlier });
  const repeated = answered(
    { type: 'refused', httpStatus: 409, details: [] },
    { ...request, repeats: { kind: 'cancel_order', link } },
  );
  const shown = (record: RequestRecord) => JSON.stringify([waiting, record].map(postedWith));
  const approval = newApprovalMessage(1, T0);

  test('is read in its own channel: earlier requests and links', () => {
    const [one, other] = [waiting, repeated].map((record) => ({ ...record, inSharedChannel: false }));
    const read = JSON.stringify([one, other].map((record) => record && postedWith(record)));
    for (const each of [insider, message, link]) expect(read).toContain(each);
  });

  test('is not read by another company', () => {
    const read = shown(repeated) + JSON.stringify(render(forExternalUsers(waiting, approval), approval, {}));
    for (const each of [insider, message, link]) expect(read).not.toContain(each);
  });

  test('is quoted by a note about a reply that quotes it', () => {
    const elsewhere = { ...repeated, inSharedChannel: false };
    const about = newReply(elsewhere.steps.length, 'thread', T0).key;
    const [note] = notesOf(withNote(elsewhere, { type: 'unclear', about }, T0)).slice(-1);
    expect(note && noteMessage(elsewhere, { ...note, to: 'channel' }).text).toContain(link);
  });
});

test('people who may not read reasons find none in the status, nor in what approvers are shown', () => {
  fc.assert(
    fc.property(anyShared, ({ record, words }) => {
      const elsewhere = { ...record, inSharedChannel: false };
      const shown = [
        statusMessage({ record: elsewhere, showsReason: false, link: undefined }),
        approvalMessage(withoutReasons(elsewhere), undefined),
      ];
      expect(JSON.stringify(shown)).not.toContain(words);
    }),
  );
});

test('the answer to an act that comes too late has no reason, because anybody may get it: even a guest, by a reaction', () => {
  fc.assert(
    fc.property(anyShared, ({ record, words }) => {
      const elsewhere = { ...record, inSharedChannel: false };
      const late = { type: 'too_late', record: elsewhere } as const;
      const shown = [
        tooLateText(elsewhere, { action: 'retry', state: elsewhere.state }),
        voteFeedback(late),
        voteFeedback({ ...late, takesBack: true }),
      ];
      expect(JSON.stringify(shown)).not.toContain(words);
    }),
  );
});

test('the mark of a withheld reason is never stored', async () => {
  const harness = createEngineHarness({ answer: { type: 'said', status: 'canceled' } });
  const denied = fated('denied', '', 'cancel_order');
  await harness.store.create(requestEntry(denied, TIMINGS));
  const deps = { ...harness.deps(), directory: directoryOf(), wake() {} };
  await giveReason(deps, { workspace: denied.workspace, id: denied.id, by: 'U2', reason: 'It ships today' });
  const stored = await harness.read(denied);
  expect(stored.approval?.decision).toMatchObject({ reason: 'It ships today' });
  expect(JSON.stringify(stored)).not.toContain('withheld');
});
