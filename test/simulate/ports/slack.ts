/** Slack's Web API for one replica: the methods of the local Slack (sandbox/slack/api), one exchange each. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpRequest } from '../../../sandbox/lib/http/server.ts';
import { tokenOf } from '../../../sandbox/slack/api/app/auth.ts';
import { readArguments } from '../../../sandbox/slack/api/arguments.ts';
import { callMethod } from '../../../sandbox/slack/api/serve-web-api.ts';
import type { HttpAnswer, HttpCall, SendHttp } from '../../../src/http/exchange.ts';
import { amountOf } from '../fates.ts';
import type { Witness } from '../witness.ts';
import type { SlackSide } from '../world/slack-side.ts';
import { exchangeOver } from './exchange.ts';
import type { Machine } from './machine.ts';

export function simulatedSlack(machine: Machine, slack: SlackSide, witness: Witness): SendHttp {
  return (call, limits, inTime = () => true) => {
    const method = call.path.slice(call.path.lastIndexOf('/') + 1);
    const effect = witness.effect();
    return exchangeOver(machine, {
      place: 'slack',
      name: method,
      limits,
      inTime,
      serve(fate) {
        witness.covered(effect, fate);
        return serve({ slack, witness }, method, call, fate);
      },
    });
  };
}

type Sides = { slack: SlackSide; witness: Witness };

function serve({ slack, witness }: Sides, method: string, call: HttpCall, fate: string): HttpAnswer {
  const { world, limits, hidden } = slack;
  const args = readArguments(requestOf(call));
  const { status, headers, body } = callMethod(method, tokenOfCall(call, args), args, {
    world,
    limits,
    appToken: '',
  });
  const answer = body as { ok: boolean; ts?: string; channel?: string; messages?: { ts: string }[] };
  if (method === 'chat.postMessage' && answer.ts && fate.startsWith('hidden'))
    hidden.set(`${answer.channel} ${answer.ts}`, world.now() + amountOf(fate));
  const message =
    method === 'reactions.get' && answer.ok
      ? world.channels.get(String(args['channel']))?.messages.get(String(args['timestamp']))
      : undefined;
  if (message) witness.looked(message, witness.now());
  const seen = answer.messages?.filter(
    ({ ts }) => (hidden.get(`${args['channel']} ${ts}`) ?? 0) <= world.now(),
  );
  const shown = seen ? { ...answer, messages: seen } : answer;
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(shown),
  };
}

const tokenOfCall = (call: HttpCall, args: Record<string, unknown>) => tokenOf(requestOf(call), args);

function requestOf({ path, headers, body = '' }: HttpCall): HttpRequest {
  const lower: IncomingHttpHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { method: 'POST', target: path, headers: lower, body, client: NOBODY };
}

/** No method looks at it. */
const NOBODY = {} as HttpRequest['client'];
