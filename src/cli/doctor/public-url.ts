/** Checks that a bot answers at PUBLIC_URL, and that it takes a request that is signed as Slack signs. */
import type { Config } from '../../config.ts';
import type { HttpCall, SendHttp } from '../../http/exchange.ts';
import { isObject, parseJson } from '../../json.ts';
import { signedChallenge } from '../../slack/transport/receiver.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const WHAT = 'public address';

const LIMITS = { deadlineMs: 7_000, maxBytes: 64 * 1024 };

/** @param challenge a random word @param now epoch milliseconds */
export async function checkPublicUrl(
  { publicUrl, slack }: Pick<Config, 'publicUrl' | 'slack'>,
  { send, challenge, now }: { send: SendHttp; challenge: string; now: number },
): Promise<Finding[]> {
  const health = await send(callTo(publicUrl, 'healthz', { method: 'GET', headers: {} }), LIMITS);
  if (health.type === 'failed')
    return [
      warning(
        WHAT,
        `Nothing answers at ${publicUrl.href} from here (${health.cause.message}). Start the bot. If this network has no way in to its own public address, try ${publicUrl.href}healthz from another one.`,
      ),
    ];
  const { status, body } = health.answer;
  const said = parseJson(body);
  if (status !== 200 || !isObject(said) || said['status'] !== 'ok')
    return [
      problem(
        WHAT,
        `Something else than the bot answers at ${publicUrl.href}healthz (HTTP ${status}). Check PUBLIC_URL and the load balancer.`,
      ),
    ];
  const answers = ok(WHAT, `the bot answers at ${publicUrl.href}`);
  const { transport } = slack;
  if (transport.type === 'socket') return [answers];
  const { signingSecret } = transport;
  return [answers, aboutChallenge(await sendChallenge(publicUrl, { send, signingSecret, challenge, now }))];
}

/** Sends a challenge to the public address, signed as Slack signs. @returns the status of the answer, and whether it is right */
export async function sendChallenge(
  publicUrl: URL,
  given: { send: SendHttp; signingSecret: string; challenge: string; now: number },
): Promise<{ status: number | undefined; isRight: boolean }> {
  const { send, signingSecret, challenge, now } = given;
  const signed = signedChallenge(signingSecret, challenge, now);
  const reply = await send(callTo(publicUrl, 'slack/events', { method: 'POST', ...signed }), LIMITS);
  if (reply.type === 'failed') return { status: undefined, isRight: false };
  const { status, body } = reply.answer;
  return { status, isRight: status === 200 && body.includes(challenge) };
}

const callTo = (base: URL, path: string, call: Pick<HttpCall, 'method' | 'headers' | 'body'>): HttpCall => ({
  origin: base.origin,
  path: `${base.pathname}${path}`,
  ...call,
});

const SIGNED = 'signing secret';

function aboutChallenge({ status, isRight }: Awaited<ReturnType<typeof sendChallenge>>): Finding {
  if (isRight)
    return ok(
      SIGNED,
      'the bot takes a request signed with SLACK_SIGNING_SECRET. Slack uses the one on the page "Basic Information": the log says if it differs',
    );
  return problem(
    SIGNED,
    status === 401
      ? 'The bot at PUBLIC_URL refuses a request signed with this SLACK_SIGNING_SECRET: it has another one, or another clock. Compare its environment with this one.'
      : `The bot at PUBLIC_URL did not answer a signed request as it must (HTTP ${status ?? 'without an answer'}). Check what the load balancer changes: bodies are signed.`,
  );
}
