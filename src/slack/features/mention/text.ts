/** The answers to a message that is addressed to the bot. */
import type { types } from '@slack/bolt';
import { z } from 'zod';
import { KIND_NAMES } from '../../../requests/model/kinds.ts';
import { button } from '../../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../../blocks/ids.ts';
import { capital, KIND_COPY } from '../../blocks/kind-copy.ts';
import { code, escaped, type Message, messageOf, section, truncate } from '../../blocks/text.ts';
import type { Asked } from './parse.ts';

export const HELP: Message = messageOf(
  [
    `Write ${KIND_NAMES.map((kind) => `“${KIND_COPY[kind].verb}”`).join(', ')} and an id, and I give you a button that opens the form.`,
    `You can also use ${KIND_NAMES.map((kind) => code(KIND_COPY[kind].command)).join(', ')}, or the menu of a message. ${code(`${COMMANDS.countermand} help`)} lists everything.`,
  ].join(' '),
);

/** What the button carries. `ts`, `thread`: of the message in a channel, in whose thread the request is answered. */
export const Offered = z.object({
  kind: z.enum(KIND_NAMES),
  target: z.string(),
  channel: z.string().optional(),
  ts: z.string().optional(),
  thread: z.string().optional(),
});

type Place = { channel: string; ts: string; thread: string };

/** Offers a button that opens the form. @param place of the message; undefined: a direct message */
export function offer({ kind, target }: Asked, place: Place | undefined): Message {
  const value = JSON.stringify({ kind, target, ...place } satisfies z.infer<typeof Offered>);
  const deed = `${KIND_COPY[kind].verb}${target === '' ? '' : ` ${truncate(target, SHOWN_MAX)}`}`;
  const text = `Press the button to ${escaped(deed)}. Nothing is sent before you confirm it in the form.`;
  const open: types.ActionsBlock = {
    type: 'actions',
    elements: [button(ACTIONS.openRequest, `${capital(KIND_COPY[kind].verb)}…`, { value, style: 'primary' })],
  };
  return { text, blocks: [section(text), open] };
}

/** Of an id that a person typed. */
const SHOWN_MAX = 75;
