/**
 * Serves signed commands and signed events by node:http alone: the same check of the signature, the same parse, the same
 * kind of answer, and nothing else. This is the limit of what Node can do.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '0', SLACK_SIGNING_SECRET = '', EVENTS_SECRET = 'none' } = process.env;

const slackSecret = createSecretKey(SLACK_SIGNING_SECRET, 'utf8');
const eventsSecret = createSecretKey(EVENTS_SECRET, 'utf8');
const MOST_SKEW_SECONDS = 300;

function isFromSlack({ headers }, body) {
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  const skew = Math.abs(Date.now() / 1_000 - Number(timestamp));
  const digest = createHmac('sha256', slackSecret).update(`v0:${timestamp}:`).update(body).digest();
  return skew < MOST_SKEW_SECONDS && isSame(digest, headers['x-slack-signature']?.slice('v0='.length));
}

function isFromService({ headers }, body) {
  const digest = createHmac('sha256', eventsSecret).update(body).digest();
  return isSame(digest, headers['x-sibi-signature-256']?.slice('sha256='.length));
}

function isSame(digest, hex = '') {
  const given = Buffer.from(hex, 'hex');
  return given.length === digest.length && timingSafeEqual(digest, given);
}

function answerCommand(request, body) {
  if (!isFromSlack(request, body)) return { status: 401 };
  const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  return { status: form.command === '/countermand' ? 200 : 404 };
}

function answerEvent(request, body) {
  if (!isFromService(request, body)) return { status: 401 };
  const { data } = JSON.parse(body.toString('utf8'));
  return data.orderId ? { status: 202, text: JSON.stringify({ result: 'applied' }) } : { status: 400 };
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const answer = request.url === '/slack/events' ? answerCommand : answerEvent;
    const { status, text = '' } = answer(request, body);
    response.writeHead(status, {
      'content-length': Buffer.byteLength(text),
      ...(text && { 'content-type': 'application/json' }),
    });
    response.end(text);
  });
}).listen(Number(PORT), '127.0.0.1');
