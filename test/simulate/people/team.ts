/** Performs the acts of agents and approvers: they request, vote, and resolve requests by hand. */
import { addReaction, removeReaction } from '../../../sandbox/slack/world/reactions.ts';
import { BUTTON } from '../../../src/requests/model/approvals/votes.ts';
import { requestId } from '../../../src/requests/model/facts/request-id.ts';
import { KINDS } from '../../../src/requests/model/kinds.ts';
import { currentStep } from '../../../src/requests/model/record.ts';
import type { Act } from '../draw/plan.ts';
import { idOf, offerOf, orderOf } from '../teams.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

export const EMOJI = { yes: 'white_check_mark', no: 'x' } as const;

export function teamActs({
  world: { slack },
  nextMoment,
  requested,
  recordOf,
  messageOf,
  use,
}: PeopleContext): ActHandlers<'request' | 'press' | 'unpress' | 'react' | 'unreact' | 'decide'> {
  function request({ n, team, by, kind, item }: Extract<Act, { type: 'request' }>): void {
    const workspace = idOf('T', team);
    const idempotencyKey = `V${n}`;
    requested.set(n, { team, id: requestId(workspace, idempotencyKey) });
    const target = KINDS[kind].resource === 'order' ? orderOf(team, item) : offerOf(team, item);
    const submission = {
      workspace,
      requester: idOf('U', team, by),
      kind,
      target,
      reason: 'The customer has changed their mind.',
      channel: idOf('C', team, 'support'),
      idempotencyKey,
    };
    use(`${by} requests ${target}`, ({ bot }) => bot().useCases.createRequest(submission), [2_000, 10_000]);
  }

  function press({ type, n, by, choice }: Extract<Act, { type: 'press' | 'unpress' }>): void {
    const record = recordOf(n);
    const ref = requested.get(n);
    if (!record || !ref) return;
    const step = currentStep(record).n;
    const vote = {
      by: idOf('U', ref.team, by),
      choice,
      source: BUTTON,
      added: type === 'press',
      step,
      moment: nextMoment(),
    };
    use(`${by} ${type}es ${choice}`, ({ bot }) => bot().useCases.vote(record, vote));
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
    const target = {
      workspace: record.workspace,
      id: record.id,
      by: idOf('U', ref.team, by),
      step: currentStep(record).n,
    };
    use(`${by} chooses ${act}`, ({ bot }) => bot().useCases.resolveManually(target, act));
  }

  return { request, press, unpress: press, react, unreact: react, decide };
}
