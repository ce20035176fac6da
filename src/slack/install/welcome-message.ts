/** What the one reads who has installed Countermand. Pure. */
import { ACTIONS, COMMANDS } from '../blocks/ids.ts';
import { LIMITS } from '../blocks/limits.ts';
import { plain, section } from '../blocks/text.ts';
import type { Message } from '../messages/card.ts';

const TEXT =
  ':wave: Countermand is installed. Before anybody can ask for something, an admin connects the workspace to your order service: ' +
  `press the button, or type \`${COMMANDS.countermand} connect\` in any channel. You will need an API token of the order service.`;

export function welcomeMessage(): Message {
  const connect = {
    type: 'button',
    action_id: ACTIONS.connect,
    text: plain('Connect', LIMITS.buttonText),
    style: 'primary',
  } as const;
  return { text: TEXT, blocks: [section(TEXT), { type: 'actions', elements: [connect] }] };
}
