/** What the one reads who has installed Countermand. Pure. */
import { ACTIONS, COMMANDS } from '../ids.ts';
import type { Message } from './card.ts';
import { LIMITS } from './limits.ts';
import { plain, section } from './text.ts';

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
