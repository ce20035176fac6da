/**
 * Checks the addresses of the configuration: whether the bot can listen at its own, whether the order service answers and
 * accepts the tokens of the connected workspaces, and whether the bot answers at PUBLIC_URL. `countermand setup` uses this, too.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Adapters } from '../../compose/adapters.ts';
import type { Config } from '../../config.ts';
import { asError } from '../../fault.ts';
import type { HttpCall, SendHttp } from '../../http/exchange.ts';
import { isObject, parseJson } from '../../json.ts';
import { checkToken } from '../../order-service/calls.ts';
import { createOrderService } from '../../order-service/client.ts';
import type { TokenCheck } from '../../requests/ports/ports.ts';
import { signedChallenge } from '../../slack/transport/receiver.ts';
import type { Connection } from '../../workspaces/connection/connection.ts';
import { hasUnsignedEvents } from '../../workspaces/unsigned-events.ts';
import { type Finding, ok, problem, unknown, warning } from './finding.ts';

/** Checks that the bot can listen at its addresses: at any port, because a running bot has taken its own ports. */
export async function checkHosts({ host, metrics }: Pick<Config, 'host' | 'metrics'>): Promise<Finding[]> {
  const hosts = { HOST: host, ...(metrics && { METRICS_HOST: metrics.host }) };
  const findings = Object.entries(hosts).map(async ([name, address]) => {
    const server = createServer().listen(0, address);
    try {
      await once(server, 'listening');
      return [];
    } catch (error) {
      const text = `The bot cannot listen at ${name} (${asError(error).message}). Set it to an address of this machine.`;
      return [problem('configuration', text)];
    } finally {
      server.close();
    }
  });
  return (await Promise.all(findings)).flat();
}

const SERVICE = 'order service';

const MOST_CONNECTIONS_CHECKED = 20;

/** A made-up token: each order service refuses it, and by that shows that it answers. */
const MADE_UP_TOKEN = 'countermand-check';

/** Checks that an order service answers at this address. */
export async function checkReached(url: URL): Promise<Finding> {
  const service = createOrderService(url);
  try {
    return reachedFinding(await checkToken(service, MADE_UP_TOKEN), url);
  } finally {
    await service.close();
  }
}

/** @param check the result for `MADE_UP_TOKEN` */
function reachedFinding(check: TokenCheck, { origin }: URL): Finding {
  if (check.type === 'unreachable')
    return problem(
      SERVICE,
      `${origin} gave no answer. Check ORDER_SERVICE_URL, the network and its certificate (NODE_EXTRA_CA_CERTS).`,
    );
  if (check.type !== 'unverified') return ok(SERVICE, `${origin} answers`);
  return warning(
    SERVICE,
    `${origin} answers, but not as an order service does (${check.code}). Check ORDER_SERVICE_URL.`,
  );
}

/** Checks the tokens of the connected workspaces, and whether their events are signed. */
export async function checkConnections({ connections, checkToken, storage }: Adapters): Promise<Finding[]> {
  const findings: Finding[] = [];
  let checked = 0;
  let unreadable = 0;
  for await (const workspace of connections.ids()) {
    if (checked === MOST_CONNECTIONS_CHECKED) break;
    // `checkKeys` reports a connection that can't be read.
    const held = await connections.withToken(workspace).catch(() => 'unreadable' as const);
    if (held === 'unreadable') unreadable += 1;
    if (!held || held === 'unreadable') continue;
    checked += 1;
    findings.push(aboutToken(held.connection, await checkToken(held.token)));
    if (await hasUnsignedEvents(storage.unsignedEvents, held.connection))
      findings.push(
        problem(
          'events',
          `Events for ${workspace} came without a valid signature within the last hour. Give the order service the secret that connecting shows ("countermand connect --new-secret" makes another one).`,
        ),
      );
  }
  if (checked > 0) return findings;
  return [
    unreadable > 0
      ? unknown(
          SERVICE,
          'No stored connection can be read, so no token was checked. The line about the keys says what to do.',
        )
      : warning(
          SERVICE,
          'No workspace is connected. Type /countermand connect in Slack, or use "countermand connect".',
        ),
  ];
}

function aboutToken({ workspace, tokenKind }: Connection, check: TokenCheck): Finding {
  switch (check.type) {
    case 'accepted':
    case 'limited':
      return ok(SERVICE, `accepts the token of ${workspace}`);
    case 'refused':
      // Such a token is connected all the same, and never paused (workspaces/connection/connect.ts).
      if (tokenKind === 'graphql')
        return warning(
          SERVICE,
          `refused the check of the GraphQL token of ${workspace} (401). If it refuses all calls, too, connect the workspace with another one.`,
        );
      return problem(
        SERVICE,
        `does not accept the token of ${workspace} (401). Connect the workspace with another one.`,
      );
    default:
      return warning(
        SERVICE,
        `did not say whether it accepts the token of ${workspace} (${'code' in check ? check.code : 'no answer'}). Run this again later.`,
      );
  }
}

const ADDRESS = 'public address';

const LIMITS = { deadlineMs: 7_000, maxBytes: 64 * 1024 };

/**
 * Checks that a bot answers at PUBLIC_URL, and that it takes a request that is signed as Slack signs.
 *
 * @param challenge a random word
 * @param now epoch milliseconds
 */
export async function checkPublicUrl(
  { publicUrl, slack }: Pick<Config, 'publicUrl' | 'slack'>,
  { send, challenge, now }: { send: SendHttp; challenge: string; now: number },
): Promise<Finding[]> {
  const health = await send(callTo(publicUrl, 'healthz', { method: 'GET', headers: {} }), LIMITS);
  if (health.type === 'failed')
    return [
      warning(
        ADDRESS,
        `Nothing answers at ${publicUrl.href} from here (${health.cause.message}). Start the bot. If this network has no way in to its own public address, try ${publicUrl.href}healthz from another one.`,
      ),
    ];
  const { status, body } = health.answer;
  const said = parseJson(body);
  if (status !== 200 || !isObject(said) || said['status'] !== 'ok')
    return [
      problem(
        ADDRESS,
        `Something else than the bot answers at ${publicUrl.href}healthz (HTTP ${status}). Check PUBLIC_URL and the load balancer.`,
      ),
    ];
  const answers = ok(ADDRESS, `the bot answers at ${publicUrl.href}`);
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
