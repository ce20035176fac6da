/** A case a row: what a hostile order service sends, and what the request must become. */
import { expect } from 'vitest';
import type { Kind } from '../../src/requests/model/kinds.ts';
import { answer, type Play } from './hostile-service.ts';

/** Holds characters that JSON, URLs and base64 escape, each in its own way. */
export const HOSTILE_TOKEN = 'rest/Zk3v+9Qb=T1xR7~wLp';

export type HostileAnswer = {
  name: string;
  /** `cancel_order` where none is given; the target is A-1001. */
  kind?: Kind;
  sends: Play;
  becomes: object;
};

const AT = '2026-11-21T12:00:00.000Z';
const MEGABYTE = 1_048_576;

const CANCELED = { type: 'said', status: 'canceled' };
/** The service took the request, and nothing else is claimed. */
const TAKEN = { type: 'said', status: 'accepted' };
const UNREADABLE = { type: 'no_answer', why: 'unreadable' };
const CUT = { type: 'no_answer', why: 'cut' };
const CONTRADICTORY = { type: 'no_answer', why: 'contradictory' };
const ABOUT_ANOTHER = { type: 'no_answer', why: 'about_another' };
const TIMEOUT = { type: 'no_answer', why: 'timeout' };
const REFUSED = { type: 'refused', httpStatus: 400 };

const done = answer(201, { cancellationStatus: 'canceled', requestedAt: AT });
const body = JSON.stringify({ cancellationStatus: 'canceled', requestedAt: AT });
const saying = (status: unknown, more = {}) => answer(201, { cancellationStatus: status, ...more });
const refusing = (message: unknown, more = {}) => answer(400, { code: 'C', message, ...more });
const head = (status: number, headers: string) => `HTTP/1.1 ${status} X\r\n${headers}\r\n`;

const percentEncoded = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');
const unicodeEscaped = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '\\u00$&');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const quotes = (how: string, text: string): HostileAnswer => ({
  name: `quotes the token ${how}`,
  sends: refusing(`It was ${text}.`),
  becomes: { ...REFUSED, message: expect.stringMatching(/^It was .*\[token\].*\.$/) },
});

const QUOTING: HostileAnswer[] = [
  quotes('as it is', HOSTILE_TOKEN),
  quotes('inside a longer word', `x${HOSTILE_TOKEN}y`),
  quotes('twice', `${HOSTILE_TOKEN}${HOSTILE_TOKEN}`),
  quotes('in an address', `https://x/?t=${encodeURIComponent(HOSTILE_TOKEN)}`),
  quotes('in an address, every character escaped', `/x/${percentEncoded(HOSTILE_TOKEN)}`),
  quotes('in an address that is part of another one', encodeURIComponent(encodeURIComponent(HOSTILE_TOKEN))),
  quotes('in JSON', JSON.stringify({ token: HOSTILE_TOKEN }).replaceAll('/', '\\/')),
  quotes('in JSON, every character escaped', `{"token":"${unicodeEscaped(HOSTILE_TOKEN)}"}`),
  quotes('in JSON within JSON', JSON.stringify(JSON.stringify(HOSTILE_TOKEN).replaceAll('/', '\\/'))),
  quotes('in base64, as a user', `Basic ${base64(`${HOSTILE_TOKEN}:`)}`),
  quotes('in base64, as a password', `Basic ${base64(`api:${HOSTILE_TOKEN}`)}`),
  quotes('in base64url', Buffer.from(`{"t":"${HOSTILE_TOKEN}"}`).toString('base64url')),
  quotes(
    'in HTML',
    HOSTILE_TOKEN.replaceAll('/', '&#x2F;').replaceAll('=', '&equals;').replaceAll('+', '&#43;'),
  ),
  quotes(
    'in HTML, every character escaped',
    HOSTILE_TOKEN.replace(/./gs, (one) => `&#${one.charCodeAt(0)};`),
  ),
  quotes('in hexadecimal digits', Buffer.from(HOSTILE_TOKEN).toString('hex')),
  quotes('in hexadecimal capitals', `0x${Buffer.from(HOSTILE_TOKEN).toString('hex').toUpperCase()}`),
  quotes('cut short', `“${HOSTILE_TOKEN.slice(0, 12)}…”`),
  quotes('without its beginning, in base64', `…${base64(HOSTILE_TOKEN.slice(9))}`),
  quotes('at the point where a long message is cut', `${'x'.repeat(980)}${HOSTILE_TOKEN}`),
  {
    name: 'quotes the token in a body whose own JSON escapes it',
    sends: answer(400, `{"code":"C","message":"${unicodeEscaped(HOSTILE_TOKEN)}"}`),
    becomes: { ...REFUSED, message: '[token]' },
  },
  {
    name: 'quotes the token in a body whose own JSON escapes slashes',
    sends: answer(400, `{"code":"C","message":"${HOSTILE_TOKEN.replaceAll('/', '\\/')}"}`),
    becomes: { ...REFUSED, message: '[token]' },
  },
  {
    name: 'quotes the token as its code',
    sends: answer(400, { code: HOSTILE_TOKEN, message: 'm' }),
    becomes: { ...REFUSED, code: '[token]' },
  },
  {
    name: 'quotes the token in its details',
    sends: refusing('m', { details: [{ field: HOSTILE_TOKEN, error: `no ${HOSTILE_TOKEN}` }] }),
    becomes: { ...REFUSED, details: [{ field: '[token]', error: 'no [token]' }] },
  },
  {
    name: 'quotes the token while it fails',
    sends: answer(500, {
      code: HOSTILE_TOKEN,
      message: `no ${HOSTILE_TOKEN}`,
      details: [{ field: HOSTILE_TOKEN, error: `no ${HOSTILE_TOKEN}` }],
    }),
    becomes: {
      type: 'no_answer',
      why: 'server_error',
      httpStatus: 500,
      code: '[token]',
      message: 'no [token]',
      details: [{ field: '[token]', error: 'no [token]' }],
    },
  },
  {
    name: 'quotes the token in an error that it calls a success',
    sends: answer(201, { code: 'C', message: `no ${HOSTILE_TOKEN}` }),
    becomes: { ...CONTRADICTORY, code: 'C', message: 'no [token]' },
  },
  {
    name: 'gives a message without a code',
    sends: answer(503, { message: 'Back at ten' }),
    becomes: { type: 'no_answer', why: 'gave_up', httpStatus: 503, message: 'Back at ten' },
  },
  {
    name: 'refuses with a message without a code',
    sends: answer(400, { message: 'No such order' }),
    becomes: { ...REFUSED, message: 'No such order' },
  },
  {
    name: 'quotes the token as its status',
    sends: saying(HOSTILE_TOKEN),
    becomes: { ...TAKEN, word: '[token]' },
  },
  { name: 'quotes the token where no HTTP is', sends: `Bearer ${HOSTILE_TOKEN}\r\n\r\n`, becomes: CUT },
  {
    name: 'quotes the token in a header that is none',
    sends: `HTTP/1.1 201 X\r\nBearer ${HOSTILE_TOKEN}\r\n\r\n`,
    becomes: CUT,
  },
  {
    name: 'quotes the token in a body that is no JSON',
    sends: answer(201, `<html>${HOSTILE_TOKEN}`),
    becomes: UNREADABLE,
  },
];

const BODIES: HostileAnswer[] = [
  { name: 'sends nothing', sends: answer(201), becomes: UNREADABLE },
  { name: 'sends 204', sends: head(204, ''), becomes: UNREADABLE },
  { name: 'sends 204 with a body', sends: `${head(204, 'content-length: 2\r\n')}{}`, becomes: UNREADABLE },
  ...['null', 'true', '7', '"canceled"', '["canceled"]', '[{"cancellationStatus":"canceled"}]'].map(
    (text): HostileAnswer => ({
      name: `sends ${text} in place of an object`,
      sends: answer(201, text),
      becomes: UNREADABLE,
    }),
  ),
  ...[null, 7, true, ['canceled'], { canceled: true }, ''].map(
    (status): HostileAnswer => ({
      name: `says the status ${JSON.stringify(status)}`,
      sends: saying(status),
      becomes: TAKEN,
    }),
  ),
  {
    name: 'says a status that is none until NUL is taken out of it',
    sends: saying('canceled\0'),
    becomes: { ...TAKEN, word: 'canceled' },
  },
  {
    name: 'says a status that is none until its right-to-left mark is taken out',
    sends: saying('\u202edenied'),
    becomes: { ...TAKEN, word: 'denied' },
  },
  {
    name: 'says a status of a megabyte',
    sends: saying('x'.repeat(900_000)),
    becomes: { ...TAKEN, word: 'x'.repeat(100) },
  },
  {
    name: 'says a status with half of a character',
    sends: answer(201, '{"cancellationStatus":"\\ud83d"}'),
    becomes: { ...TAKEN, word: '\ufffd' },
  },
  {
    name: 'says two statuses',
    sends: answer(201, '{"cancellationStatus":"denied","cancellationStatus":"canceled"}'),
    becomes: CANCELED,
  },
  {
    name: 'says the status of a prototype',
    sends: answer(201, '{"__proto__":{"cancellationStatus":"canceled"},"constructor":{"prototype":{}}}'),
    becomes: TAKEN,
  },
  ...['yesterday', '', 7, null, '2026-11-21', '9'.repeat(1_000), [AT]].map(
    (requestedAt, n): HostileAnswer => ({
      name: `says that it was asked at no time (${n + 1})`,
      sends: saying('canceled', { requestedAt }),
      becomes: CANCELED,
    }),
  ),
  { name: 'begins with a byte-order mark', sends: answer(201, `\ufeff${body}`), becomes: CANCELED },
  { name: 'writes UTF-16', sends: answer(201, Buffer.from(body, 'utf16le')), becomes: UNREADABLE },
  {
    name: 'writes what is no UTF-8',
    sends: answer(400, Buffer.from('{"code":"C","message":"a\xffb"}', 'latin1')),
    becomes: { ...REFUSED, message: 'a\ufffdb' },
  },
  {
    name: 'compresses what nobody wanted compressed',
    sends: answer(201, Buffer.from('1f8b0800', 'hex'), 'content-encoding: gzip\r\n'),
    becomes: UNREADABLE,
  },
  { name: 'sends a megabyte of [', sends: answer(201, '['.repeat(MEGABYTE)), becomes: UNREADABLE },
  {
    name: 'sends arrays within arrays, half a million deep',
    sends: answer(201, '['.repeat(500_000) + ']'.repeat(500_000)),
    becomes: UNREADABLE,
  },
  {
    name: 'refuses with arrays within arrays, 400,000 deep',
    sends: answer(400, `{"code":"C","message":"m","details":${'['.repeat(400_000)}${']'.repeat(400_000)}}`),
    becomes: { ...REFUSED, code: 'C', message: 'm', details: [] },
  },
  {
    name: 'sends a megabyte of {}',
    sends: answer(201, `[${Array(349_000).fill('{}').join(',')}]`),
    becomes: UNREADABLE,
  },
  {
    name: 'refuses with a megabyte of {}',
    sends: refusing('m', { details: Array(349_000).fill({}) }),
    becomes: { ...REFUSED, message: 'm', details: [] },
  },
  {
    // Each that cannot be read costs an error with its trace: all of a megabyte would hold the process for seconds.
    name: 'refuses with details beyond those that are read',
    sends: refusing('m', { details: [...Array(20).fill({}), { field: 'f', error: 'e' }] }),
    becomes: { ...REFUSED, message: 'm', details: [] },
  },
  {
    name: 'sends more than a megabyte',
    sends: answer(201, JSON.stringify({ cancellationStatus: 'canceled', x: 'x'.repeat(MEGABYTE) })),
    becomes: UNREADABLE,
  },
  {
    name: 'refuses with more than a megabyte',
    sends: refusing('x'.repeat(MEGABYTE)),
    becomes: { type: 'refused', httpStatus: 400, details: [] },
  },
];

const WORDS: HostileAnswer[] = [
  {
    name: 'refuses with NUL and other control characters',
    sends: refusing('a\0b\u001b[2Jc\u0085d\r\ne'),
    becomes: { ...REFUSED, message: 'a b [2Jc d e' },
  },
  {
    name: 'refuses with marks that turn the text around',
    sends: refusing('\u202egnorw\u202c \u2067x\u2069\u200f'),
    becomes: { ...REFUSED, message: 'gnorw x' },
  },
  {
    name: 'refuses with mentions and formatting',
    sends: refusing('<!channel> <@U1> *bold* <https://evil.example|here> &lt;'),
    becomes: { ...REFUSED, message: '<!channel> <@U1> *bold* <https://evil.example|here> &lt;' },
  },
  {
    name: 'refuses with the words of a prototype',
    sends: answer(
      400,
      '{"code":"__proto__","message":"constructor","details":[{"field":"__proto__","error":"toString"}]}',
    ),
    becomes: { ...REFUSED, code: '__proto__', message: 'constructor' },
  },
  ...['{"code":7,"message":{}}', '[]', '"no"', 'null', '{"code":'].map(
    (text): HostileAnswer => ({
      name: `refuses with ${text}`,
      sends: answer(400, text),
      becomes: { type: 'refused', httpStatus: 400, details: [] },
    }),
  ),
];

const HTTP: HostileAnswer[] = [
  { name: 'hangs up', sends: '', becomes: CUT },
  { name: 'resets the connection', sends: (socket) => socket.resetAndDestroy(), becomes: CUT },
  { name: 'speaks no HTTP', sends: 'SSH-2.0-OpenSSH_9.6\r\n', becomes: CUT },
  { name: 'speaks TLS', sends: Buffer.from('15030300020228', 'hex'), becomes: CUT },
  { name: 'speaks HTTP/9.9', sends: done.toString().replace('1.1', '9.9'), becomes: CUT },
  { name: 'speaks HTTP/1.0', sends: done.toString().replace('1.1', '1.0'), becomes: CANCELED },
  { name: 'ends its body by hanging up', sends: `HTTP/1.0 201 X\r\n\r\n${body}`, becomes: CANCELED },
  { name: 'says no status', sends: 'HTTP/1.1\r\n\r\n', becomes: CUT },
  {
    name: 'says the status 099',
    sends: 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n',
    becomes: { type: 'no_answer' },
  },
  { name: 'says the status 999', sends: answer(999), becomes: { type: 'no_answer', httpStatus: 999 } },
  { name: 'sends a header without a name', sends: `HTTP/1.1 201 X\r\n: x\r\n\r\n${body}`, becomes: CUT },
  {
    name: 'sends a header of 100 kB',
    sends: answer(201, body, `x: ${'x'.repeat(100_000)}\r\n`),
    becomes: CUT,
  },
  { name: 'sends 10,000 headers', sends: answer(201, body, 'x: y\r\n'.repeat(10_000)), becomes: CUT },
  {
    name: 'says more than it sends',
    sends: `${head(201, 'content-length: 999\r\n')}${body}`,
    becomes: { ...CUT, httpStatus: 201 },
  },
  ...[
    { status: 307, why: 'redirected' },
    { status: 500, why: 'server_error' },
    { status: 502, why: 'gave_up' },
  ].map(
    ({ status, why }): HostileAnswer => ({
      name: `says ${status}, and hangs up in the body`,
      sends: `${head(status, 'content-length: 999\r\n')}x`,
      becomes: { type: 'no_answer', why, httpStatus: status },
    }),
  ),
  {
    name: 'says less than it sends',
    sends: `${head(201, 'content-length: 9\r\n')}${body}`,
    becomes: UNREADABLE,
  },
  { name: 'says two lengths', sends: answer(201, body, 'content-length: 5\r\n'), becomes: CUT },
  {
    name: 'says a length below nothing',
    sends: `${head(201, 'content-length: -1\r\n')}${body}`,
    becomes: CUT,
  },
  {
    name: 'says a length and sends chunks',
    sends: `${head(201, 'content-length: 2\r\ntransfer-encoding: chunked\r\n')}2\r\n{}\r\n0\r\n\r\n`,
    becomes: CUT,
  },
  {
    name: 'sends chunks',
    sends: `${head(201, 'transfer-encoding: chunked\r\n')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    becomes: CANCELED,
  },
  {
    name: 'lies about the size of a chunk',
    sends: `${head(201, 'transfer-encoding: chunked\r\n')}5\r\n${body}\r\n0\r\n\r\n`,
    becomes: CUT,
  },
  {
    name: 'never sends the last chunk',
    sends: `${head(201, 'transfer-encoding: chunked\r\n')}${body.length.toString(16)}\r\n${body}\r\n`,
    becomes: CUT,
  },
  {
    name: 'sends a chunk of more bytes than there are',
    sends: `${head(201, 'transfer-encoding: chunked\r\n')}ffffffffffffffffff\r\n${body}`,
    becomes: CUT,
  },
  {
    name: 'sends two answers in one packet',
    sends: Buffer.concat([done, saying('denied')]),
    becomes: CANCELED,
  },
  // undici ends the connection at an unasked 100, though a client has to read on (RFC 9110, section 15.2).
  { name: 'sends 100 unasked', sends: Buffer.concat([Buffer.from(head(100, '')), done]), becomes: CUT },
  ...[102, 103].map(
    (status): HostileAnswer => ({
      name: `sends ${status} first`,
      sends: Buffer.concat([Buffer.from(head(status, 'retry-after: 9\r\n')), done]),
      becomes: CANCELED,
    }),
  ),
  { name: 'sends 103 and hangs up', sends: head(103, ''), becomes: CUT },
  {
    name: 'switches protocols unasked',
    sends: head(101, 'connection: upgrade\r\nupgrade: websocket\r\n'),
    becomes: CUT,
  },
  {
    name: 'redirects',
    sends: answer(307, '', 'location: /token\r\n'),
    becomes: { type: 'no_answer', why: 'redirected' },
  },
  {
    name: 'says that nothing was modified',
    sends: head(304, ''),
    becomes: { type: 'no_answer', why: 'redirected' },
  },
  {
    name: 'pours an extension of a chunk',
    sends: pouring(`${head(201, 'transfer-encoding: chunked\r\n')}1;x=`, 'x'),
    becomes: UNREADABLE,
  },
  {
    name: 'pours 103s',
    sends: pouring('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    becomes: UNREADABLE,
  },
  {
    name: 'pours 103s before its answer',
    sends: `${'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)}${done}`,
    becomes: CANCELED,
  },
];

/** Answers that never come to an end. */
export const SLOW_ANSWERS: readonly HostileAnswer[] = [
  { name: 'never answers', sends: () => {}, becomes: TIMEOUT },
  {
    name: 'sends its headers byte by byte',
    sends: dribbling('HTTP/1.1 201 X\r\nx: ', 'x'),
    becomes: TIMEOUT,
  },
  {
    name: 'sends its body byte by byte',
    sends: dribbling(head(201, 'content-length: 99999\r\n'), ' '),
    becomes: { ...TIMEOUT, httpStatus: 201 },
  },
  {
    name: 'sends a chunk size without end',
    sends: dribbling(head(201, 'transfer-encoding: chunked\r\n'), '0'),
    becomes: { type: 'no_answer' },
  },
  {
    name: 'sends an extension of a chunk without end',
    sends: dribbling(`${head(201, 'transfer-encoding: chunked\r\n')}1;x=`, 'x'),
    becomes: TIMEOUT,
  },
  { name: 'sends 102 again and again', sends: dribbling('', head(102, '')), becomes: TIMEOUT },
  {
    name: 'refuses, and sends why byte by byte',
    sends: dribbling(head(400, 'content-length: 99999\r\n'), ' '),
    becomes: { type: 'refused', httpStatus: 400, details: [] },
  },
  {
    name: 'gives up as a gateway (408), and sends why byte by byte',
    sends: dribbling(head(408, 'content-length: 99999\r\n'), ' '),
    becomes: { type: 'no_answer', httpStatus: 408 },
  },
];

/** Sends a beginning, and then the same again and again, as fast as it is read. */
function pouring(beginning: string, again: string): Play {
  const piece = Buffer.from(again.repeat(Math.ceil(65_536 / again.length)));
  return (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pour).write(beginning);
    pour();
  };
}

/** Sends a piece every few milliseconds, until the other end has had enough. */
function dribbling(start: string, piece: string): Play {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => clearInterval(timer));
  };
}

const sending = (success: unknown, status: object): HostileAnswer => ({
  name: `answers success: ${JSON.stringify(success)}`,
  kind: 'send_offer',
  sends: answer(200, { success }),
  becomes: status,
});

const cancelling = (offerId: unknown, status: object): HostileAnswer => ({
  name: `answers about the offer ${JSON.stringify(offerId)}`,
  kind: 'cancel_offer',
  sends: answer(200, { offerId, status: 'CANCELED', canceledAt: AT }),
  becomes: status,
});

const OFFERS: HostileAnswer[] = [
  sending(true, { type: 'said', status: 'sent' }),
  sending(false, { type: 'refused', httpStatus: 200 }),
  ...['false', 'true', '', 0, 1, null, [], {}].map((success) => sending(success, TAKEN)),
  cancelling('A-1001', CANCELED),
  cancelling('a-1001', CANCELED),
  ...['A-1002', 'A-10011', '', 'A-1001 ', 'Ａ-1001'].map((id) => cancelling(id, ABOUT_ANOTHER)),
  ...[undefined, null, 1001, ['A-1002']].map((id) => cancelling(id, CANCELED)),
  {
    name: 'names the other offer with the token',
    kind: 'cancel_offer',
    sends: answer(200, { offerId: `A-${HOSTILE_TOKEN}`, status: 'CANCELED' }),
    becomes: { ...ABOUT_ANOTHER, message: 'A-[token]' },
  },
  {
    name: 'calls an error with a number as its status a success',
    kind: 'cancel_offer',
    sends: answer(200, { code: 'OFFER_CANCELLATION_ERROR', message: 'Already cancelled', status: 400 }),
    becomes: { ...CONTRADICTORY, code: 'OFFER_CANCELLATION_ERROR', message: 'Already cancelled' },
  },
  {
    name: 'calls an error with a word as its result a success',
    kind: 'send_offer',
    sends: answer(200, { code: 'C', success: 'error' }),
    becomes: { ...CONTRADICTORY, code: 'C' },
  },
];

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ...QUOTING,
  ...BODIES,
  ...WORDS,
  ...HTTP,
  ...OFFERS,
];
