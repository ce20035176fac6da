/** Has Slack judge what the bot can say, with examples in place of requests: nothing is posted. */
import { catalogue } from '../../catalogue/catalogue.ts';
import type { Surface } from '../../catalogue/examples.ts';
import { section } from '../../slack/blocks/text.ts';
import type { SlackApi } from '../../slack/client/clients.ts';
import { type Judged, probeBlocks, type Refused } from '../../slack/client/probe.ts';
import { type Finding, ok, problem, unknown } from './finding.ts';

const WHAT = 'messages';

/** Each sentence is a section; Slack takes 50 blocks at once, and about 13,200 characters. */
const SENTENCES_AT_ONCE = 20;
const MOST_TOLD = 10;

type Payload = { heading: string; given: Parameters<typeof probeBlocks>[0]['given'] };

/** @param botToken undefined: none is known */
export async function checkMessages(
  { api, sleep }: { api: SlackApi; sleep: (ms: number) => Promise<unknown> },
  botToken: string | undefined,
): Promise<Finding[]> {
  if (botToken === undefined) return [unknown(WHAT, 'No bot token is known, and Slack judges for none.')];
  const payloads = payloadsOf();
  const refused: string[] = [];
  for (const { heading, given } of payloads) {
    const judged = await judge(() => probeBlocks({ botToken, given }, api), sleep);
    if (judged.type === 'invalid') refused.push(...judged.errors.map((error) => `${heading}: ${error}`));
    else if (judged.type !== 'accepted') return [unknown(WHAT, notJudgedText(judged))];
  }
  if (refused.length === 0) return [ok(WHAT, `Slack accepts all ${payloads.length} messages and forms`)];
  const more = refused.length > MOST_TOLD ? [problem(WHAT, `and ${refused.length - MOST_TOLD} more`)] : [];
  return [...refused.slice(0, MOST_TOLD).map((text) => problem(WHAT, `${text}. ${REPORT}`)), ...more];
}

const REPORT = 'Slack would refuse it. Update Countermand, or report this line.';

const notJudgedText = ({ type, code }: Refused): string =>
  type === 'refused'
    ? `Slack does not judge messages here (${code}). Run this again later.`
    : `Slack cannot be reached (${code}). Run this again later.`;

const MOST_TRIES = 5;

/** Tries again after the wait that Slack asks for: the limits of this method are not on its page. */
async function judge(
  probe: () => Promise<Judged>,
  sleep: (ms: number) => Promise<unknown>,
  tries = 1,
): Promise<Exclude<Judged, { type: 'rate_limited' }>> {
  const judged = await probe();
  if (judged.type !== 'rate_limited') return judged;
  if (tries === MOST_TRIES) return { type: 'refused', code: 'ratelimited' };
  await sleep(judged.retryAfterMs);
  return judge(probe, sleep, tries + 1);
}

/** Returns each message and form once, and the sentences together. Pages for a browser are left out: Slack does not show them. */
function payloadsOf(): Payload[] {
  const known = new Set<string>();
  const isNew = (surface: Surface) => {
    const text = JSON.stringify(surface);
    return !known.has(text) && known.add(text);
  };
  return catalogue().flatMap(({ heading, surfaces }) => {
    const fresh = surfaces.filter(isNew);
    const sentences = fresh.filter((surface) => typeof surface === 'string');
    const parts = inParts(sentences).map((part) => ({ blocks: part.map(section) }));
    return [...parts, ...fresh.flatMap(payloadOf)].map((given) => ({ heading, given }));
  });
}

function payloadOf(surface: Surface): Payload['given'][] {
  if (typeof surface === 'string' || 'html' in surface) return [];
  return ['type' in surface ? { view: surface } : { message: surface }];
}

const inParts = (sentences: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(sentences.length / SENTENCES_AT_ONCE) }, (_, n) =>
    sentences.slice(n * SENTENCES_AT_ONCE, (n + 1) * SENTENCES_AT_ONCE),
  );
