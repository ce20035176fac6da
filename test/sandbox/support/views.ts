import { actions, button, modal, openSlackDesk, payloadOf, text } from './slack-desk.ts';

/** A desk with Ana's modal open: by command, in #support unless told otherwise. */
export async function openModalDesk(
  view: object = modal(),
  { channel = '#support', ...options }: { channel?: string; now?: () => number } = {},
) {
  const desk = await openSlackDesk(options);
  const ana = desk.slack.person('ana');

  /** A new trigger of Ana's. */
  const trigger = async () => {
    await ana.command('/cancel-order', { channel });
    return payloadOf(desk.bot).trigger_id;
  };
  const opened = await desk.call('views.open', { trigger_id: await trigger(), view });
  return { ...desk, ana, trigger, opened };
}

/** A modal with one button, from which another view can be pushed. */
export const buttonModal = (title = 'Root') => ({
  type: 'modal',
  title: text(title),
  blocks: [actions(button('next', 'Next'))],
});
