/** Sentences about a request, by kind, state and cause: from random histories and from each answer of the service. */
import fc from 'fast-check';
import { eachAnswer, headingOf } from '../../src/catalogue/catalogue.ts';
import type { Kind } from '../../src/requests/model/kinds.ts';
import { currentStep, type RequestRecord } from '../../src/requests/model/record.ts';
import { replyOf } from '../../src/requests/model/record-messages.ts';
import { recordableActions } from '../../src/requests/use-cases/possible-actions.ts';
import { outcomeModal } from '../../src/slack/features/record-outcome.ts';
import { timeline } from '../../src/slack/features/timeline.ts';
import { cardButtons } from '../../src/slack/messages/content/buttons.ts';
import { card } from '../../src/slack/messages/content/card.ts';
import { reply } from '../../src/slack/messages/content/render.ts';
import { history } from '../support/history/histories.ts';
import { createHistoryHarness } from '../support/history/play.ts';
import { message, modal, said } from './render.ts';

const HISTORIES = 500;

/** A heading, "state, cause", and the texts under it. */
export type TextsByCause = Map<string, Set<string>>;

export async function requestTexts(kind: Kind): Promise<TextsByCause> {
  const found: TextsByCause = new Map();
  const add = (record: RequestRecord) => {
    const heading = headingOf(record);
    const texts = found.get(heading) ?? new Set();
    found.set(heading, texts);
    for (const text of textsOf(record)) texts.add(text);
  };
  for (const record of eachAnswer(kind)) add(record);
  for (const { actions, ...given } of fc.sample(history(kind), { numRuns: HISTORIES, seed: 1 })) {
    const harness = createHistoryHarness(given);
    await harness.begin();
    add(await harness.read());
    for (const action of actions) if (await harness.perform(action)) add(await harness.read());
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}

/** The state on the card, its buttons, the reply in the thread where it says more, and the form to record an outcome. */
function textsOf(record: RequestRecord): string[] {
  const step = currentStep(record);
  const { text, blocks } = card(record);
  return [
    message({ text, blocks: blocks.filter(({ type }) => type === 'section') }),
    ...cardButtons(record).flatMap(({ elements }) =>
      elements.map((element) => message({ text: '', blocks: [{ type: 'actions', elements: [element] }] })),
    ),
    ...(replyOf(record, step) ? saidMore(reply(record, step).text, text) : []),
    ...(recordableActions(record).length > 0 ? [modal(outcomeModal(record, recordableActions(record)))] : []),
  ];
}

/** A reply that says more than the card, with its mention of the requester or without. */
function saidMore(text: string, card: string): string[] {
  const [, found = ''] = /^(?:<@\w+>: )?(.*)$/s.exec(text) ?? [];
  return card.endsWith(found) ? [] : [`in the thread: ${said(text)}`];
}

/** The lines of a history, without their times. */
export async function historyLines(kind: Kind): Promise<Set<string>> {
  const lines = new Set<string>();
  for (const { actions, ...given } of fc.sample(history(kind), { numRuns: HISTORIES, seed: 1 })) {
    const harness = createHistoryHarness(given);
    await harness.begin();
    for (const action of actions) await harness.perform(action);
    for (const line of timeline(await harness.read())) lines.add(said(line).replace('today at 1:00 PM ', ''));
  }
  return lines;
}
