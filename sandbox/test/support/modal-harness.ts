import { actions, button, modal, openSlackDesk, payloadOf, text } from './slack-harness.ts';

/** A desk with somebody's modal open: Ana's, by command, in #support unless told otherwise. */
export async function openModalDesk(
  view: object = modal(),
  {
    channel = '#support',
    person: name = 'ana',
    ...options
  }: { channel?: string; person?: string; now?: () => number } = {},
) {
  const desk = await openSlackDesk(options);
  const person = desk.slack.person(name);

  /** A new trigger of theirs. */
  const trigger = async () => {
    await person.command('/cancel-order', { channel });
    return payloadOf(desk.bot).trigger_id;
  };
  const opened = await desk.call('views.open', { trigger_id: await trigger(), view });
  return { ...desk, person, ana: desk.slack.person('ana'), trigger, opened };
}

/** A modal with one button, from which another view can be pushed. */
export const buttonModal = (title = 'Root') => ({
  type: 'modal',
  title: text(title),
  blocks: [actions(button('next', 'Next'))],
});
