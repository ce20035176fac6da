/** Reads what a person asks for in words, when they mention the bot or write to it: a command, and the id of an order or offer. */
import { KIND_NAMES, type Kind } from '../../requests/model/kinds.ts';
import { trimmedId, withWordsPrintable } from '../../requests/use-cases/input.ts';
import { withoutEntities } from '../blocks/text.ts';
import { KIND_COPY } from '../messages/sentences/request-words.ts';

/** The form that a message asks for. `target`: the id of the order or offer; '' if none is named. */
type Asked = { kind: Kind; target: string };

/** Words that are left out: people put them before, between and after the words of a command. */
const FILLERS: ReadonlySet<string> = new Set(
  [
    'a an for id it my no nr number please pls that the these this those with',
    'all another any both double duplicate first following last latest new newest old other previous second two wrong',
    'her his our their',
    'can could hello hey hi i like need to want we will would you',
  ].flatMap((words) => words.split(' ')),
);

/** A mention of anybody, as Slack writes it, "<@U123>" or "<@U123|ana>", and the punctuation behind it. */
const MENTION = /<@[^<>]*>[,:;.!?]*/g;

/** The mark of a quoted line, as Slack writes ">". No id begins with it. */
const QUOTED = /(?<=^|\s)(?:&gt;)+/g;

/** The number of a line in a list, as Slack writes it: "1. A-1042". */
const LINE_NUMBER = /^[ \t]*\d{1,3}[.)](?=[ \t]+\S)/gm;

/** A word before an id that no space separates from it: "order:A-1042", "no.1042". The id itself may hold a colon. */
const LABEL = /(?<=^|\s)(cancel|orders?|offers?|id|no|nr|number)[:.](?=\S)/gi;

/** An emoji, as Slack writes it: ":wave:". */
const EMOJI = /:[\p{L}\p{N}_+'-]+:/gu;

/** Text without a word: a lone comma, the marks of a block of code. */
const WORDLESS = /^[\p{P}\p{S}]*$/u;

/** A number or a domain of which Slack has made a link. The label is what the person typed. */
const LINKED = /<(?:tel:[^<>|]*\|([^<>|]+)|https?:\/\/([^<>|]+)\|\2)>/g;

/** Marks of formatting or brackets around the whole text. An id may hold such a mark. */
const WRAPPED = /^(?:([*_~`])([^*_~`]+)\1|\(([^()]+)\))$/s;

/** The words of a text, without the marks that stand alone, and without the invisible characters that people copy along. */
function wordsOf(text: string): string[] {
  const typed = withWordsPrintable(text).replaceAll(
    LINKED,
    (_, number?: string, domain?: string) => number ?? domain ?? '',
  );
  const unquoted = typed.replaceAll(MENTION, ' ').replaceAll(QUOTED, ' ').replaceAll(LINE_NUMBER, ' ').trim();
  const bare = unquoted.replace(WRAPPED, '$2$3').replaceAll(LABEL, '$1 ');
  return bare.split(/\s+/).filter((part) => !isWordless(part));
}

/**
 * Reads a command in words, and the id of an order or offer.
 *
 * @returns undefined where the text asks for nothing that the bot can do
 */
export function parseMention(text: string): Asked | undefined {
  const all = wordsOf(text);
  const words = all.filter((word, n) => !isFiller(plainWord(word), n === all.length - 1));
  const said = words.map(plainWord);
  const kind = KIND_NAMES.find((name) => startsWith(said, KIND_COPY[name].verb.split(' ')));
  if (kind) return asked(kind, words[KIND_COPY[kind].verb.split(' ').length]);
  // "cancel A-1042" is about an order: an offer is named as such.
  return said[0] === 'cancel' ? asked('cancel_order', words[1]) : undefined;
}

/**
 * Whether a part is only emoji and punctuation. The emoji are removed first: a pattern for both could match ":-:" in two ways,
 * and a row of those would take a time that doubles with each.
 */
const isWordless = (part: string): boolean => WORDLESS.test(part.replaceAll(EMOJI, ''));

/** Whether a word is left out. A single letter at the end stays: it may be an id. */
const isFiller = (word: string, isLast: boolean): boolean =>
  FILLERS.has(word) && !(isLast && word.length === 1);

/** The word without its formatting and the punctuation of its sentence: "*Order:" is "order". */
const plainWord = (word: string): string => idIn(word.replace(MARKS_AROUND, '')).toLowerCase();

/**
 * Marks of formatting, which may go around several words. Because of the lookbehind, a long row of marks inside a word is tried
 * once, and not from each of its marks.
 */
const MARKS_AROUND = /^[*_~`]+|(?<![*_~`])[*_~`]+$/g;

/** Whether words begin with those of a command, some of them perhaps in the plural. */
const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  start.every((word, i) => words[i] === word || words[i] === `${word}s`);

/** Characters: more than any id or address has, and few enough for the value of a button. */
const ID_MAX = 600;

const asked = (kind: Kind, word = ''): Asked => ({
  kind,
  target: withoutLoneBracket(idIn(word)).slice(0, ID_MAX),
});

/** A bracket at one end of a word, left from brackets around several words: "A-1001 (and A-1002)". */
const BRACKET = /^[([]|[)\]]$/g;

/** The first id of several in brackets: "A-1" of "(A-1, A-2)". An id may hold a pair of brackets. */
const withoutLoneBracket = (id: string): string => (/[([].*[)\]]/.test(id) ? id : id.replace(BRACKET, ''));

/** The id as the person typed it; an address with a label stays as Slack writes it. */
const idIn = (word: string): string => trimmedId(trimmedId(withoutEntities(word)).replace(FORMATTED, '$2'));

/**
 * The marks of bold, italic, struck-out and code around a whole word: at most six, with "```" for code. Without a limit, the time
 * for a long row of marks would grow with the cube of its length.
 */
const FORMATTED = /^([*_~`]{1,6})(.+)\1$/s;

/** A person's question. `id`: of a request, or of its order or offer; '' where none is named. */
type Question = { type: 'help' } | { type: 'status'; id: string };

/** Words of a question that are left out besides `FILLERS`. */
const ASKING: ReadonlySet<string> = new Set(
  "get give is me of offer order request show some tell what what's what’s".split(' '),
);

/** Reads a question for help or for the status of a request. */
export function parseQuestion(text: string): Question | undefined {
  const isLeftOut = (word: string) => FILLERS.has(word) || ASKING.has(word);
  const [about = '', id = ''] = wordsOf(text).filter((word) => !isLeftOut(plainWord(word)));
  const type = plainWord(about);
  if (type === 'help') return { type };
  return type === 'status' ? { type, id: idIn(id).slice(0, ID_MAX) } : undefined;
}
