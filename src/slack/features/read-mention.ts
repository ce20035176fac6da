/** Reads what a person asks for in words, when they mention the bot or write to it: a command, and the id of an order or offer. */
import { KIND_NAMES, KINDS, type Kind } from '../../requests/model/kinds.ts';
import type { Settings } from '../../requests/model/settings.ts';
import { idLinked, idMeant, idsInMessage } from '../../requests/use-cases/addresses.ts';
import { matchesPattern, spelledBy, trimmedId, withWordsPrintable } from '../../requests/use-cases/input.ts';
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

const VERBS = new Set(KIND_NAMES.map((kind) => KIND_COPY[kind].verb.split(' ', 1)[0]));

/**
 * The verb at the beginning, perhaps behind a few words of courtesy. Elsewhere it is no command: the sentences of the bot, which a
 * program may echo, and questions have it, too.
 */
const COMMAND = new RegExp(
  String.raw`^[^\p{L}\p{N}]*(?:(?:can|could|hello|hey|hi|i|like|need|please|pls|that|to|want|we|will|would|you)(?![\p{L}\p{N}])[^\p{L}\p{N}]*)*(${[...VERBS].join('|')})(?![\p{L}\p{N}])(.*)$`,
  'isu',
);

/**
 * The noun behind the verb, perhaps with a number before it, "2 offers", and before any id or link: "cancel A-1042, the offer was
 * wrong" is about an order.
 */
const NOUN = /^(?:\s*\d+\s)?[^\d<]*?(?<![\p{L}\p{N}])(order|offer)s?(?![\p{L}\p{N}])/iu;

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
const WORD = /<(?:https?|mailto|tel):[^<>]*>|(?:(?!<(?:https?|mailto|tel):)[^\s,;])+/g;

type Known = Pick<Settings, 'orderIdPattern' | 'orderAddress' | 'offerAddress'>;

/**
 * The id of a command: the first that the pattern or an address of the workspace tells from other words, or else the first word
 * with a digit, "4711 from PO-77". That may be mistyped: the form helps with it. No part of a word is taken for the id, because
 * "A-1042(2)" may be another order than A-1042.
 *
 * @returns '' if there is none
 */
export function idOf({ kind, rest }: Command, settings: Known): string {
  const words = (rest.match(WORD) ?? []).flatMap((word) =>
    ADDRESS.test(word) ? wordsOfAddress(kind, word, settings) : read(kind, word, settings),
  );
  const meant = words.find(({ isId }) => isId) ?? words.find(({ text }) => /\d/.test(text));
  return meant?.text ?? '';
}

/** `isId`: the pattern or an address of the workspace says so. Without it nothing tells an id from another word. */
type Word = { text: string; isId: boolean };

const patternOf = (kind: Kind, { orderIdPattern }: Known): string | undefined =>
  KINDS[kind].resource === 'order' ? orderIdPattern : undefined;

function read(kind: Kind, word: string, settings: Known): Word {
  const text = idMeant(kind, asTyped(word), settings);
  const pattern = patternOf(kind, settings);
  if (pattern === undefined) return { text, isId: false };
  if (matchesPattern(pattern, text)) return { text, isId: true };
  // In another case of letters, "order" would be an id by the pattern "ORD*".
  const spelled = /\d/.test(text) && (spelledBy(pattern, text) ?? spelledBy(pattern, text.replace(/^#/, '')));
  return spelled ? { text: spelled, isId: true } : { text, isId: false };
}

const ADDRESS = /^<(?:https?|mailto|tel):|:\/\//;
const LINK = /^<([^<>|]*)(?:\|([^<>]*))?>$/;

/**
 * The id that the template of an address makes, or else the words of a link's label and the ids in its address. Where Slack has
 * linked an address by itself, the label is a part of it, and comes last.
 */
function wordsOfAddress(kind: Kind, word: string, settings: Known): Word[] {
  const [, address = word, label = ''] = LINK.exec(word) ?? [];
  const linked = idLinked(kind, trimmedId(address), settings);
  if (linked !== undefined) return [{ text: linked, isId: true }];
  const isId = patternOf(kind, settings) !== undefined;
  const found = idsInMessage(kind, address, settings).map((text) => ({ text, isId }));
  const shown = label.split(/\s+/).map((each) => read(kind, each, settings));
  return address.includes(label) ? [...found, ...shown] : [...shown, ...found];
}

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

/** A word as its person typed it, without what is around it: marks, brackets, punctuation, the "'s" of a possessive. */
const asTyped = (word: string): string =>
  withoutLoneBracket(
    trimmedId(
      trimmedId(word)
        .replace(/['’]s$/, '')
        .replace(MARKS_AROUND, ''),
    ),
  ).slice(0, ID_MAX);
