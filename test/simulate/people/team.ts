/** Agents and approvers: they request, vote, and decide where the service has not told. */
import { addReaction, removeReaction } from '../../../sandbox/slack/world/reactions.ts';
import { BUTTON } from '../../../src/requests/model/approvals/votes.ts';
import { requestId } from '../../../src/requests/model/facts/request-id.ts';
import { currentStep } from '../../../src/requests/model/record.ts';
import type { Act } from '../draw/plan.ts';
import { offerOf, orderOf } from '../world/service-side.ts';
import { idOf } from '../world/slack-side.ts';
import type { Acts, Cast } from './cast.ts';

export const EMOJI = { yes: 'white_check_mark', no: 'x' } as const;

export function teamActs({
  world: { slack },
  moments,
  requested,
  recordOf,
  messageOf,
  use,
}: Cast): Acts<'request' | 'press' | 'unpress' | 'react' | 'unreact' | 'decide'> {
  function request({ n, team, by, kind, item }: Extract<Act, { type: 'request' }>): void {
    const workspace = idOf('T', team);
    const idempotencyKey = `V${n}`;
    requested.set(n, { team, id: requestId(workspace, idempotencyKey) });
    const target = kind === 'cancel_order' ? orderOf(team, item) : offerOf(team, item);
    const asking = {
      workspace,
      requester: idOf('U', team, by),
      kind,
      target,
      reason: 'The customer has changed their mind.',
      channel: idOf('C', team, 'support'),
      idempotencyKey,
    };
    use(`${by} requests ${target}`, ({ bot }) => bot().useCases.createRequest(asking), [2_000, 10_000]);
  }

  function press({ type, n, by, choice }: Extract<Act, { type: 'press' | 'unpress' }>): void {
    const record = recordOf(n);
    const ref = requested.get(n);
    if (!record || !ref) return;
    const step = currentStep(record).n;
    const cast = {
      by: idOf('U', ref.team, by),
      choice,
      source: BUTTON,
      added: type === 'press',
      step,
      moment: moments(),
    };
    use(`${by} ${type}es ${choice}`, ({ bot }) => bot().useCases.vote(record, cast));
  }

  function react({ type, n, by, choice }: Extract<Act, { type: 'react' | 'unreact' }>): void {
    const isApart = recordOf(n)?.approval?.approvalMessage !== undefined;
    const message = messageOf(n, isApart ? 'approval message' : '0');
    const ref = requested.get(n);
    if (!message || !ref || message.is_tombstone) return;
    const change = type === 'react' ? addReaction : removeReaction;
    change(slack.world, message, idOf('U', ref.team, by), EMOJI[choice]);
  }

  function decide({ n, by, act }: Extract<Act, { type: 'decide' }>): void {
    const record = recordOf(n);
    const ref = requested.get(n);
    if (!record || !ref) return;
    const who = {
      workspace: record.workspace,
      id: record.id,
      by: idOf('U', ref.team, by),
      step: currentStep(record).n,
    };
    use(`${by} chooses ${act}`, ({ bot }) => bot().useCases.resolveManually(who, act));
  }

  return { request, press, unpress: press, react, unreact: react, decide };
}
