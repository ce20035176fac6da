import { actions, button, modal, openSlackHarness, payloadOf, text } from './slack-harness.ts';
import { testWith } from './test-with.ts';

/** Opens a harness with a modal: Ana's, opened by a command in #support by default. */
export async function openModalHarness(
  view: object = modal(),
  { channel = '#support', person: name = 'ana' }: { channel?: string; person?: string } = {},
) {
  const harness = await openSlackHarness();
  const person = harness.slack.person(name);

  /** Creates a new trigger of the person. */
  const trigger = async () => {
    await person.command('/cancel-order', { channel });
    return payloadOf(harness.bot).trigger_id;
  };
  const opened = await harness.call('views.open', { trigger_id: await trigger(), view });
  return { ...harness, person, ana: harness.slack.person('ana'), trigger, opened };
}

export const test = testWith(openModalHarness, ['ana', 'opened', 'trigger', 'slack', 'bot', 'call']);

/** A modal with one button, from which another view can be pushed. */
export const buttonModal = (title = 'Root') => ({
  type: 'modal',
  title: text(title),
  blocks: [actions(button('next', 'Next'))],
});
