/** Connects one replica to the Web API of the local Slack (sandbox/slack/api), one simulated exchange for each method. */
import { callMethod } from '../../../sandbox/slack/api/serve-web-api.ts';
import type { Message } from '../../../sandbox/slack/world/types.ts';
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
      token: call.headers['Authorization'] ?? '',
      limits,
      inTime,
      onSend: () => witness.onSend(effect, method),
      serve(fault) {
        const isCount = effect?.name === 'confirm_votes';
        const here = slack.byToken(tokenOf(call) ?? '');
        return serve({ slack: here, onRead: isCount ? witness.onVotesRead : () => {} }, method, call, fault);
      },
    });
  };
}

/** `onRead`: called with the message whose reactions are read. */
type Sides = { slack: SlackWorld; onRead: (message: Message) => void };

function serve({ slack, onRead }: Sides, method: string, call: HttpCall, fault: string): HttpAnswer {
  const { world, limits, hidden } = slack;
  const args: Record<string, unknown> = JSON.parse(call.body ?? '{}');
  const { status, headers, body } = callMethod(method, tokenOf(call), args, { world, limits, appToken: '' });
  const answer = body as { ok: boolean; ts?: string; channel?: string; messages?: { ts: string }[] };
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
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(shown),
  };
}

const tokenOf = ({ headers }: HttpCall): string | undefined =>
  headers['Authorization']?.slice('Bearer '.length);
