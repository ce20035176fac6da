/** Reads what a person asks for in words, when they mention the bot or write to it: a command, and the id of an order or offer. */
import { KIND_NAMES, KINDS, type Kind } from '../../requests/model/kinds.ts';
import type { Settings } from '../../requests/model/settings.ts';
import { idsInMessage } from '../../requests/use-cases/addresses.ts';
import { trimmedId, withWordsPrintable } from '../../requests/use-cases/input.ts';
import { withoutEntities } from '../blocks/text.ts';
import { KIND_COPY } from '../messages/sentences/request-words.ts';

/** The form that a message asks for. `rest`: the text behind the verb, in which the id is looked for. */
type Command = { kind: Kind; rest: string };

/** Characters of a text that are read: a command and its id are at the beginning. Slack's messages have up to 40,000. */
const MOST_TEXT = 2_000;

/** References to people, channels and groups, as Slack writes them, "<@U123|ana>", and emoji that stand alone, ":wave:". */
const REFERENCE = /<[@#!][^<>]*>/g;
const EMOJI = /(?<!\S)(?::[\p{L}\p{N}_+'-]+:)+(?![^\s\p{P}])/gu;

/** The number of a line in a list, as Slack writes it, also in a quote: "1. A-1042". */
const LINE_NUMBER = /^[ \t>]*\d{1,3}[.)](?=[ \t]+\S)/gm;

/** A word before an id that no space separates from it: "order:A-1042", "no.1042". The id itself may hold a colon. */
const LABEL = /(?<=^|\s)(cancel|orders?|offers?|id|no|nr|number)[:.](?=\S)/gi;

/**
 * The verb at the beginning, perhaps behind a few words of courtesy. Elsewhere it is no command: the sentences of the bot, which a
 * program may echo, and questions have it, too.
 */
const COMMAND =
  /^[^\p{L}\p{N}]*(?:(?:can|could|hello|hey|hi|i|like|need|please|pls|that|to|want|we|will|would|you)(?![\p{L}\p{N}])[^\p{L}\p{N}]*)*(cancel|send)(?![\p{L}\p{N}])(.*)$/isu;

/** The noun behind the verb, before a digit or link: "cancel A-1042, the offer was wrong" is about an order. */
const NOUN = /^[^\d<]*?\b(order|offer)s?\b/i;

/** Reads a command in words. @returns undefined where the text asks for nothing that the bot can do */
export function readCommand(text: string): Command | undefined {
  const words = withoutEntities(withWordsPrintable(beginningOf(text)).replaceAll(REFERENCE, ' ')).replaceAll(
    EMOJI,
    ' ',
  );
  const plain = words.replaceAll(LINE_NUMBER, ' ').replaceAll(LABEL, '$1 ');
  const [, verb = '', rest = ''] = COMMAND.exec(plain) ?? [];
  const [, noun = 'order'] = NOUN.exec(rest) ?? [];
  const said = `${verb} ${noun}`.toLowerCase();
  const kind = KIND_NAMES.find((name) => KIND_COPY[name].verb === said);
  return kind && { kind, rest };
}

/** The beginning of a text. The last word of a long text is left out: it may be the beginning of an id. */
const beginningOf = (text: string): string =>
  text.length > MOST_TEXT ? text.slice(0, MOST_TEXT).replace(/(?<!\S)\S*$/, '') : text;

/** A word, or a link as Slack writes it, whose label may hold spaces. */
const WORD = /<[^<>]*>|[^\s<>]+/g;

/**
 * The id of a command, or a word with a digit: a mistyped id, or one of another form, with which the form helps. A pattern tells
 * ids from other words. Where none is set, the first word with a digit is meant: "4711 from PO-77".
 *
 * @returns '' if there is none
 */
export function idOf(
  { kind, rest }: Command,
  settings: Pick<Settings, 'orderIdPattern' | 'orderAddress' | 'offerAddress'>,
): string {
  const hasPattern = KINDS[kind].resource === 'order' && settings.orderIdPattern !== undefined;
  const words = (rest.match(WORD) ?? []).filter((word) => /\d|^</.test(word));
  // An ampersand parts the words of an address. Elsewhere it may belong to the id: "R&D-1001" is not D-1001.
  const found = words.map((word) =>
    /^[^<]*&/.test(word) ? undefined : idsInMessage(kind, word, settings).at(0),
  );
  const typed = words.map((word, n) => found[n] ?? typedId(word));
  return [...(hasPattern ? found : []), ...typed].find((id) => id !== undefined && id !== '') ?? '';
}

const LABELLED = /^<[^<>|]+\|([^<>]+)>$/;

/**
 * Marks of formatting, which may go around several words. Because of the lookbehind, a long row of marks inside a word is tried
 * once, and not from each of its marks.
 */
const MARKS_AROUND = /^[*_~`]+|(?<![*_~`])[*_~`]+$/g;

/** A bracket at one end of a word, left from brackets around several words: "(4711, 4712)". */
const BRACKET = /^[([]|[)\]]$/g;

/** The word without a lone bracket. An id may hold a pair of brackets. */
const withoutLoneBracket = (word: string): string =>
  /[([].*[)\]]/.test(word) ? word : word.replace(BRACKET, '');

/** Characters: more than any id or address has, and few enough for the value of a button. */
const ID_MAX = 600;

/** The first word with a digit in a word or in the label of a link, without what is around it; '' if there is none. */
function typedId(word: string): string {
  const words = word.replace(LABELLED, '$1').split(/\s+/);
  const typed = trimmedId(words.find((each) => /\d/.test(each)) ?? '');
  return withoutLoneBracket(trimmedId(typed.replace(MARKS_AROUND, ''))).slice(0, ID_MAX);
}
