import type { JournalEntry } from '../../../../../lib/http/journal.ts';
import type { Begun } from '../../../../../page/client/inspector/traffic/exchange.ts';

/** A call of the bot that was answered, unless told otherwise. */
export const entry = (given: Partial<JournalEntry> = {}): JournalEntry => ({
  n: 1,
  after: 0,
  at: 0,
  ms: 1,
  from: 'bot',
  to: 'slack',
  kind: 'web_api',
  name: 'chat.postMessage',
  request: { text: 'Hello' },
  ended: 'answered',
  response: { status: 200, body: { ok: true } },
  ...given,
});

/** A call of the bot that has not ended. */
export const begun: Begun = {
  at: 0,
  from: 'bot',
  to: 'slack',
  kind: 'web_api',
  name: 'chat.postMessage',
  request: { text: 'Hello' },
};

/** What a person did, and what came of it. */
export const deed = (outcome: unknown = {}, given: Partial<JournalEntry> = {}): JournalEntry => {
  const { response: _, ...rest } = entry({ from: 'ana', kind: 'person', name: 'submit', request: {} });
  return { ...rest, outcome, ...given };
};
