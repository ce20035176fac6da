/** Reads a message that is addressed to the bot: what it asks for, and about which order or offer. */
import { KIND_NAMES, type Kind } from '../../../requests/model/kinds.ts';
import { trimmedId } from '../../../requests/use-cases/rules.ts';
import { KIND_COPY } from '../../blocks/kind-copy.ts';

export type Asked = { kind: Kind; target: string };

/** "cancel A-1042" is about an order: offers are named as such. */
const SHORT: Record<string, Kind> = { cancel: 'cancel_order' };

/** A mention of anybody, as Slack writes it: "<@U123>" or "<@U123|ana>". */
const MENTION = /<@[^>]*>/g;

/** @returns undefined where the text asks for nothing that the bot can do; the id is '' where none is named */
export function parseMention(text: string): Asked | undefined {
  const words = text.replaceAll(MENTION, ' ').trim().split(/\s+/);
  const said = words.map((word) => word.toLowerCase());
  const kind = KIND_NAMES.find((name) => startsWith(said, KIND_COPY[name].verb.split(' ')));
  if (kind) return asked(kind, words.slice(KIND_COPY[kind].verb.split(' ').length));
  const [first = ''] = said;
  const short = Object.hasOwn(SHORT, first) ? SHORT[first] : undefined;
  return short && asked(short, words.slice(1));
}

const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  start.every((word, i) => words[i] === word);

/** Longer than any id or address, and short enough for the button that carries it. */
const ID_MAX = 600;

const asked = (kind: Kind, [target = '']: readonly string[]): Asked => ({
  kind,
  target: trimmedId(target).slice(0, ID_MAX),
});
