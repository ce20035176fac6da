/** Holds the disconnect form to what then happens to open requests. */
import { expect, test } from 'vitest';
import { decided } from '../../../src/requests/model/acts.ts';
import { newRecord } from '../../../src/requests/model/new-record.ts';
import { TIMINGS } from '../../../src/requests/model/timings.ts';
import { replaceOrYieldSlot } from '../../../src/requests/store/writes.ts';
import { disconnectedText, planTexts } from '../../../src/slack/messages/sentences/connection-texts.ts';
import { POLICY } from '../../support/requests/approval-policy.ts';
import { createEngineHarness } from '../../support/requests/engine-harness.ts';
import { REQUEST, T0 } from '../../support/requests/records.ts';

const MINUTES_15 = 15 * 60_000;
const disconnected = () => createEngineHarness({ answer: { type: 'not_received', why: 'not_connected' } });
const text = planTexts({ revokes: false, pending: false }).join('\n');

test('nobody reads that the order service owes an outcome: it may have received no request', () => {
  const disconnected = { type: 'disconnected', revocation: 'kept', pending: true } as const;
  const texts = [
    ...planTexts({ revokes: false, pending: true }),
    ...(['slack', 'terminal'] as const).map((at) => disconnectedText(disconnected, at)),
  ];
  expect(texts.join('\n')).not.toContain('owes');
});

test('a request that waits to be sent expires after 15 minutes', async () => {
  expect(text).toContain('Requests that wait to be sent expire after 15 minutes.');
  const harness = disconnected();
  await harness.create();
  const { state, steps } = await harness.play();
  expect([state, steps.at(-1)?.at]).toEqual(['expired', T0 + MINUTES_15]);
});

test('a request that awaits approval stays open and, once approved, waits 15 minutes for a new connection', async () => {
  expect(text).toContain(
    'Requests that wait for approval expire at their usual time; once approved, they wait 15 minutes for a new connection.',
  );
  const harness = disconnected();
  const policy = { ...POLICY, expiresAfterMs: 8 * 3_600_000 };
  const awaiting = newRecord(REQUEST, T0, { policy, earlier: [] });
  await harness.create(awaiting);
  harness.pass(4 * MINUTES_15);
  const record = await harness.read(awaiting);
  expect(record.state).toBe('awaiting_approval');
  const approved = decided(record, { type: 'decided', choice: 'yes', by: ['UBEN'] }, harness.now());
  await replaceOrYieldSlot({ store: harness.store, timings: TIMINGS }, record, approved);
  const { state, steps } = await harness.play(awaiting);
  expect([state, steps.at(-1)?.at]).toEqual(['expired', T0 + 5 * MINUTES_15]);
});
