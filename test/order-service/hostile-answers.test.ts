/** Hostile answers of the order service: each leads to the state in its row, and nothing secret or endless comes out. */
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { createOrderCalls } from '../../src/order-service/calls.ts';
import { createOrderService } from '../../src/order-service/client.ts';
import { applyCallResult } from '../../src/requests/engine/apply-call.ts';
import { currentStep } from '../../src/requests/model/record.ts';
import { sentence } from '../../src/slack/messages/sentences/sentences.ts';
import { capturedStream } from '../support/captured-stream.ts';
import { heldToken, tokens } from '../support/order-service/order-service.ts';
import { calling, HELD, T0 } from '../support/requests/records.ts';
import { HOSTILE_ANSWERS, HOSTILE_TOKEN, type HostileAnswer, SLOW_ANSWERS } from './hostile-answers.ts';
import { hostileService } from './hostile-service.ts';

/** The longest line that the log may hold, in bytes. */
const LONGEST_LINE = 16_384;

async function capturedLog() {
  const { stream, lines } = capturedStream();
  return { log: await createLogger({ level: 'debug', pretty: false }, stream), lines };
}

/** Decodes the escapes of JSON and of URLs until none is left. */
function decoded(text: string): string {
  const next = text.replace(/%([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\(.)/gi, (_, percent, unicode, plain) =>
    plain === undefined ? String.fromCharCode(Number.parseInt(percent ?? unicode, 16)) : plain,
  );
  return next === text ? text : decoded(next);
}

/** Makes a call to a hostile service, and checks what comes of it. @param deadlineMs the time for its whole answer */
async function expectOutcome(row: HostileAnswer, deadlineMs: number): Promise<void> {
  const { name, kind = 'cancel_order', sends, becomes } = row;
  const { url, received } = await hostileService(sends);
  const service = createOrderService(url, { limits: { deadlineMs, maxBytes: 1_048_576 } });
  onTestFinished(() => service.close());
  const { log, lines } = await capturedLog();
  const held = tokens(async () => ({ ...heldToken(), token: HOSTILE_TOKEN }));
  const { carryOut } = createOrderCalls({ service, tokens: held, log });

  const { record } = calling({ kind });
  const { answer, err } = await carryOut(record, HELD);
  // The loop logs it.
  if (err) log.warn({ err }, 'effect performed');

  expect(answer, name).toMatchObject(becomes);
  if (!('word' in becomes)) expect(answer).not.toHaveProperty('word', expect.anything());
  expect(received, name).toHaveLength(1);
  const settled = applyCallResult(record, answer, record.call.attempts, T0).record;
  const shown = sentence(settled, currentStep(settled));
  // Dates are ours; nothing else may mention anybody or become a link.
  expect(shown).not.toMatch(/<(?!!date\^)/);
  const came = decoded(JSON.stringify([answer, shown, lines]));
  expect(came).not.toContain(HOSTILE_TOKEN);
  expect(came).not.toContain(Buffer.from(HOSTILE_TOKEN).toString('base64').slice(4, 24));
  expect(came).not.toContain('ZodError');
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThan(LONGEST_LINE);
}

test.each(HOSTILE_ANSWERS)('a service that $name', (row) => expectOutcome(row, 15_000));

// All at once, so that the deadline can be one that a busy machine keeps.
test('services that never come to an end', async () => {
  await Promise.all(SLOW_ANSWERS.map((row) => expectOutcome(row, 4_000)));
});
