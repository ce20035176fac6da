/** Renders the welcome message for the installing person. */
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import { LIMITS, type Message, plain, section } from '../blocks/text.ts';

const TEXT =
  ':wave: Countermand is installed. Before anybody can make a request, an admin must connect this workspace to your order service: ' +
  `press the button, or type \`${COMMANDS.countermand} connect\` in any channel. You need an API token of the order service.`;

export function welcomeMessage(): Message {
  const connect = {
    type: 'button',
    action_id: ACTIONS.connect,
    text: plain('Connect', LIMITS.buttonText),
    style: 'primary',
  } as const;
  return { text: TEXT, blocks: [section(TEXT), { type: 'actions', elements: [connect] }] };
}
