/** Reads a message that is addressed to the bot, and words the answer. */
import { z } from 'zod';
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import { trimmedId } from '../../../requests/use-cases/input.ts';
import { button, buttonRow } from '../../blocks/forms.ts';
import { ACTIONS, COMMANDS } from '../../blocks/ids.ts';
import { capital, KIND_COPY } from '../../blocks/kind-copy.ts';
import {
  code,
  escaped,
  type Message,
  section,
  textMessage,
  truncate,
  withoutEntities,
} from '../../blocks/text.ts';

export const HELP: Message = textMessage(
  [
    `Write ${KIND_NAMES.map((kind) => `“${KIND_COPY[kind].verb}”`).join(', ')} and an id, and I give you a button that opens the form.`,
    `You can also use ${KIND_NAMES.map((kind) => code(KIND_COPY[kind].command)).join(', ')}, or the menu of a message. ${code(`${COMMANDS.countermand} help`)} lists everything.`,
  ].join(' '),
);

/** The value of the button. `ts`, `thread`: of the message in a channel, in whose thread the request is answered. */
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
  const open = button(ACTIONS.openRequest, `${capital(KIND_COPY[kind].verb)}…`, { value, style: 'primary' });
  return { text, blocks: [section(text), ...buttonRow([open])] };
}

const SHOWN_MAX = 75;

export type Asked = { kind: Kind; target: string };

/** "cancel A-1042" is about an order: offers are named as such. */
const SHORT: Record<string, Kind> = { cancel: 'cancel_order' };

/** Words that people put between or before those that tell what they want. The last word may be an id. */
const FILLERS: ReadonlySet<string> = new Set('a an id my no nr number please that the this'.split(' '));

/** A mention of anybody, as Slack writes it, "<@U123>" or "<@U123|ana>", and the punctuation behind it. */
const MENTION = /<@[^>]*>[,:;.!?]*/g;

/** A part without a word, as a lone comma. */
const PUNCTUATION = /^\p{P}*$/u;

/** A number or a domain that Slack has made a link of: what its person typed is the label. */
const LINKED = /<(?:tel:[^<>|]*\|([^<>|]+)|https?:\/\/([^<>|]+)\|\2)>/g;

/** @returns undefined where the text asks for nothing that the bot can do; the id is '' where none is named */
export function parseMention(text: string): Asked | undefined {
  const typed = text.replaceAll(LINKED, (_, number?: string, domain?: string) => number ?? domain ?? '');
  const parts = typed.replaceAll(MENTION, ' ').trim().replace(WRAPPED, '$2$3').split(/\s+/);
  const all = parts.filter((part) => !PUNCTUATION.test(part));
  const words = all.filter((word, n) => n === all.length - 1 || !FILLERS.has(plainWord(word)));
  const said = words.map(plainWord);
  const kind = KIND_NAMES.find((name) => startsWith(said, KIND_COPY[name].verb.split(' ')));
  if (kind) return asked(kind, words.slice(KIND_COPY[kind].verb.split(' ').length));
  const [first = ''] = said;
  const short = Object.hasOwn(SHORT, first) ? SHORT[first] : undefined;
  return short && asked(short, words.slice(1));
}

/** A mark or brackets around all that was typed. An id may hold the mark itself. */
const WRAPPED = /^(?:([*_~`])([^*_~`]+)\1|\(([^()]+)\))$/s;

/** The word without the punctuation of its sentence: "Order:" is "order". */
const plainWord = (word: string): string => idIn(word).toLowerCase();

const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  start.every((word, i) => words[i] === word);

/** Longer than any id or address, and short enough for the button that carries it. */
const ID_MAX = 600;

const asked = (kind: Kind, [word = '']: readonly string[]): Asked => ({
  kind,
  target: idIn(word).slice(0, ID_MAX),
});

const idIn = (word: string): string => trimmedId(asTyped(trimmedId(word)));

/** The marks of bold, italic, struck out and code around a whole word. */
const FORMATTED = /^([*_~`]+)(.+)\1$/s;

/** The word as its person typed it; an address stays as Slack writes it. */
const asTyped = (word: string): string => withoutEntities(word.replace(FORMATTED, '$2'));
