/** Connects one replica to the Web API of the local Slack (sandbox/slack/api), one simulated exchange for each method. */
import type { HttpReply } from '../../../sandbox/lib/http/server.ts';
import { OAUTH_V2_ACCESS, oauthAccess } from '../../../sandbox/slack/api/auth.ts';
import { callMethod } from '../../../sandbox/slack/api/serve-web-api.ts';
import { SlackError } from '../../../sandbox/slack/slack-error.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
import type { World } from '../../../sandbox/slack/world/world.ts';
import type { HttpAnswer, HttpCall, SendHttp } from '../../../src/http/exchange.ts';
import { amountOf } from '../draw/faults.ts';
import type { Witness } from '../witness/witness.ts';
import type { SlackSide, SlackWorld } from '../world/slack-side.ts';
import { exchangeOver } from './exchange.ts';
import type { Machine } from './machine.ts';

export function simulatedSlack(machine: Machine, slack: SlackSide, witness: Witness): SendHttp {
  return (call, limits, inTime = () => true) => {
    const method = call.path.slice(call.path.lastIndexOf('/') + 1);
    const effect = witness.currentEffect();
    return exchangeOver(machine, {
      boundary: 'slack',
      name: method,
      team: slack.teamOf(tokenOf(call)),
      limits,
      inTime,
      onSend: () => witness.onSend(effect, method),
      serve(fault) {
        const here = slack.byToken(tokenOf(call));
        if (isSuspended(here, fault, method, effect?.name)) return suspended(here, method, call);
        if (method === UPDATE && fault.includes(', suspended')) suspendLater(here, fault);
        const isCount = effect?.name === 'confirm_votes';
        const revoked = revokedTokens(here.world);
        const answer = serve(
          { slack: here, onRead: isCount ? witness.onVotesRead : () => {} },
          method,
          call,
          fault,
        );
        if (revokedTokens(here.world) > revoked)
          machine.spans.begin('token replaced', slack.teamOf(tokenOf(call)));
        return answer;
      },
    });
  };
}

/** Slack's answer while admins have suspended posting. */
const SUSPENDED: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ok: false, error: 'ekm_access_denied' }),
};

const UPDATE = 'chat.update';

/** Whether Slack refuses a call: an update, or a reply. If it refused a card, the request would end, and excuse too much. */
function isSuspended({ world, suspended }: SlackWorld, fault: string, method: string, effect = ''): boolean {
  const isReply = method === 'chat.postMessage' && effect.startsWith('post reply');
  const isNow = suspended.from <= world.now() && world.now() < suspended.to;
  return method === UPDATE ? isNow || fault === 'suspended' : isReply && fault === 'suspended';
}

/** A little less than the five minutes after which an update in doubt is repeated. */
const REPEATED_MS = 4 * 60_000;

function suspendLater(slack: SlackWorld, fault: string): void {
  const from = slack.world.now() + REPEATED_MS;
  slack.suspended = { from, to: from + amountOf(fault) };
}

function suspended(
  { world, refusedUpdates }: SlackWorld,
  method: string,
  { body = '' }: HttpCall,
): HttpAnswer {
  if (method === UPDATE) refusedUpdates.set(body, [...(refusedUpdates.get(body) ?? []), world.now()]);
  return SUSPENDED;
}

/** `onRead`: called with the message whose reactions are read. */
type Sides = { slack: SlackWorld; onRead: (message: Message) => void };

/** The methods by which a message in doubt is searched for. */
const SEARCHES: ReadonlySet<string> = new Set(['conversations.history', 'conversations.replies']);

function serve({ slack, onRead }: Sides, method: string, call: HttpCall, fault: string): HttpAnswer {
  const { world, limits, hidden } = slack;
  slack.calledAt.push(world.now());
  const args: Record<string, unknown> = JSON.parse(call.body ?? '{}');
  const { status, headers, body } =
    method === OAUTH_V2_ACCESS
      ? exchanged(world, args)
      : callMethod(method, tokenOf(call), args, { world, limits, appToken: '' });
  const answer = body as { ok: boolean; ts?: string; channel?: string; messages?: { ts: string }[] };
  if (answer.ok && SEARCHES.has(method)) slack.pagesAt.push(world.now());
  if (method === 'chat.postMessage' && answer.ts && fault.startsWith('hidden'))
    hidden.set(`${answer.channel} ${answer.ts}`, world.now() + amountOf(fault));
  const message =
    method === 'reactions.get' && answer.ok
      ? world.channels.get(String(args['channel']))?.messages.get(String(args['timestamp']))
      : undefined;
  if (message) onRead(message);
  const visible = answer.messages?.filter(
    ({ ts }) => (hidden.get(`${args['channel']} ${ts}`) ?? 0) <= world.now(),
  );
  const shown = visible ? { ...answer, messages: visible } : answer;
  return {
    status,
    headers: { 'content-type': 'application/json', date: new Date(world.now()).toUTCString(), ...headers },
    body: JSON.stringify(shown),
  };
}

const revokedTokens = ({ accessTokens }: World): number =>
  [...accessTokens.values()].filter(({ is_revoked }) => is_revoked).length;

function exchanged(world: World, args: Record<string, unknown>): HttpReply {
  try {
    return { status: 200, body: { ok: true, ...oauthAccess(world, args) } };
  } catch (error) {
    if (error instanceof SlackError) return { status: 200, body: { ok: false, error: error.code } };
    throw error;
  }
}

/** The token of a call or, where it has none, the refresh token that it exchanges. */
const tokenOf = ({ headers, body }: HttpCall): string =>
  headers['Authorization']?.slice('Bearer '.length) ?? String(JSON.parse(body ?? '{}').refresh_token ?? '');
