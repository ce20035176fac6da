import { expect, test } from 'vitest';
import { type Drawn, drawnIn } from '../../../sandbox/slack/render/drawn.ts';
import { startHarness } from '../../support/e2e/harness.ts';

/** A text that somebody types in the hope that Slack makes something of it. */
const TYPED = '<!here> <@UOLGA> www.evil.example *bold* `code` :tada: &lt;!here&gt;';
const ORDER = 'A-1*b*:tada:<!here>_x';

/** The text that a person sees. Nothing in it is more than text but what the bot wrote. */
function seen(shown: Drawn[]) {
  const made = shown.filter(({ kind }) => !['text', 'bold', 'quote'].includes(kind));
  expect(made.filter(({ text }) => /here|UOLGA|evil|tada/.test(text))).toEqual([]);
  expect(shown.filter(({ text }) => ['b', 'bold', 'code'].includes(text))).toEqual([]);
  return shown.map(({ text }) => text).join('');
}

test('an id, a reason and the words of the order service are shown as typed, in channel, thread and form', async () => {
  const harness = await startHarness();
  const body = { code: '*CODE*', message: TYPED, details: [{ field: ':tada:', error: TYPED }] };
  harness.service.faults.schedule({ on: 'cancel_order', fault: { type: 'status', status: 409, body } });
  await harness.cancelOrder(ORDER, { reason: TYPED });
  const card = await harness.slack.waitForMessage(
    ({ text, thread_ts }) => thread_ts === undefined && /refused the request/.test(text),
  );
  const shown = seen(drawnIn(card.blocks));
  expect(shown).toContain(`Cancel order ${ORDER}`);
  expect(shown).toContain(`'s reason: “${TYPED}”`);
  const reply = await harness.slack.waitForMessage({ thread_ts: card.ts, text: TYPED });
  const told = seen(drawnIn(reply.blocks));
  expect(told).toContain(`so order ${ORDER} is not cancelled by this request.`);
  expect(told).toContain(`“${TYPED}” (*CODE*).`);
  await harness.ana.command(`/countermand status ${ORDER}`, { channel: '#support' });
  const status = seen(drawnIn((await harness.ana.waitForEphemeral()).blocks));
  expect(status).toContain(`Cancel order ${ORDER}`);
  expect(status).toContain(`Refused`);
});

test('what nobody knows is shown as typed', async () => {
  const harness = await startHarness();
  for (const line of [`status ${TYPED}`, TYPED.replaceAll(' ', '')]) {
    const before = harness.ana.ephemerals().length;
    await harness.ana.command(`/countermand ${line}`, { channel: '#support' });
    const { blocks } = await harness.ana.waitForEphemeral(() => harness.ana.ephemerals().length > before);
    const help = drawnIn(blocks).filter(({ kind }) => kind !== 'code');
    expect(seen(help)).toContain(line.replace('status ', ''));
  }
});
