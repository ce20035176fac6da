import { actions, button, modal, openSlackHarness, payloadOf, text } from './slack-harness.ts';

/** A harness with somebody's modal open: Ana's, by command, in #support unless told otherwise. */
export async function openModalHarness(
  view: object = modal(),
  {
    channel = '#support',
    person: name = 'ana',
    ...options
  }: { channel?: string; person?: string; now?: () => number } = {},
) {
  const harness = await openSlackHarness(options);
  const person = harness.slack.person(name);

  /** A new trigger of theirs. */
  const trigger = async () => {
    await person.command('/cancel-order', { channel });
    return payloadOf(harness.bot).trigger_id;
  };
  const opened = await harness.call('views.open', { trigger_id: await trigger(), view });
  return { ...harness, person, ana: harness.slack.person('ana'), trigger, opened };
}

/** A modal with one button, from which another view can be pushed. */
export const buttonModal = (title = 'Root') => ({
  type: 'modal',
  title: text(title),
  blocks: [actions(button('next', 'Next'))],
});
