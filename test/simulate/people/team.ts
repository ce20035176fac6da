/** Performs the acts of agents: they request, and resolve requests by hand. */

import { postMessage } from '../../../sandbox/slack/world/messages.ts';
import { requestId } from '../../../src/requests/model/request-id.ts';
import { acknowledging, type Warning } from '../../../src/requests/use-cases/same-target.ts';
import { KINDS } from '../../support/seen-requests.ts';
import type { Act } from '../draw/plan.ts';
import type { Replica } from '../replica.ts';
import { CARD } from '../tables/messages.ts';
import { seenIn } from '../tables/records.ts';
import { slotOf } from '../tables/requests.ts';
import { idOf, LONG_REASON, offerOf, orderOf, REASON, type Team, TICKET, workspaceOf } from '../teams.ts';
import type { World } from '../world/world.ts';
import type { ActHandlers, PeopleContext } from './context.ts';

/** The time after which a person who was warned retries a request all the same. */
const INSISTS_AFTER_MS = 3_000;
/** The number of tries after which a person who is warned of one request after the other gives up. */
const MOST_TRIES = 4;

/** Reads from the buttons of a card what a person saw: the card may be older than the stored request. */
function seenOn(card: { blocks?: unknown } | undefined) {
  const [, call, round, state] =
    /"value":"[a-z0-9]+:(\d+):(\d+):(\w+)"/.exec(JSON.stringify(card?.blocks) ?? '') ?? [];
  return state === undefined ? undefined : { call: Number(call), round: Number(round), state };
}

export function teamActs({
  world,
  nextMoment,
  requested,
  recordOf,
  messageOf,
  use,
}: PeopleContext): ActHandlers<'request' | 'decide'> {
  const { scheduler } = world;
  const { now } = scheduler;

  /** Posts the message of a customer. @returns its thread; undefined: nobody can post in that channel */
  function customerThread(team: Team, by: string): string | undefined {
    const here = world.slack.of[team].world;
    const channel = here.channels.get(idOf('C', 'support'));
    if (!channel || channel.is_archived) return undefined;
    return postMessage(here, channel, { user: idOf('U', by), text: 'Can I cancel my order?' }).ts;
  }

  function request(act: Extract<Act, { type: 'request' }>): void {
    const { n, team, by, kind, item, isLong, isFromMessage = false, insistsAfter } = act;
    const workspace = workspaceOf(team);
    // Both teams have the same keys.
    const idempotencyKey = `V${[...requested.values()].filter((each) => each.team === team).length}`;
    const id = requestId(workspace, idempotencyKey);
    requested.set(n, { team, id });
    world.witness.nameRequest(id, n, team);
    const target = KINDS[kind].about === 'order' ? orderOf(item) : offerOf(item);
    const thread = isFromMessage ? customerThread(team, by) : undefined;
    const submission = {
      workspace,
      requester: idOf('U', by),
      kind,
      target,
      reason: isLong ? LONG_REASON : REASON,
      channel: idOf('C', 'support'),
      idempotencyKey,
      ...(isFromMessage && { thread, ticket: TICKET }),
    };
    const answers: World['submissions'][number]['answers'] = [];
    const slot = slotOf(workspace, kind, target);
    const name = `request ${n}`;
    const submitted: World['submissions'][number] = {
      team,
      by: idOf('U', by),
      id,
      name,
      kind,
      slot,
      thread,
      at: now(),
      answers,
    };
    world.submissions.push(submitted);
    const submitWith =
      ({ acknowledged }: { acknowledged?: string }) =>
      async ({ bot }: Replica) => {
        const tried = { from: now(), isWarned: acknowledged !== undefined };
        try {
          const result = await bot().useCases.createRequest({ ...submission, acknowledged });
          answers.push({ type: result.type, ...tried, at: now() });
          if ('earlier' in result) insist(result);
        } catch (error) {
          answers.push({ type: 'fault', ...tried, at: now() });
          throw error;
        }
      };
    function insist({ type, earlier }: Warning): void {
      if (insistsAfter === undefined || submitted.acknowledged !== undefined) return;
      submitted.acknowledged = earlier.id;
      const acknowledged = acknowledging(type, earlier);
      const again = () => use(`${by} insists on ${name}`, submitWith({ acknowledged }), [2_000, 10_000]);
      scheduler.after(insistsAfter, again);
    }
    use(`${by} makes ${name}`, submitWith({}), [2_000, 10_000]);
  }

  function decide({ n, by, act, after = 0 }: Extract<Act, { type: 'decide' }>): void {
    const record = recordOf(n);
    const ref = requested.get(n);
    if (!record || !ref) return;
    const target = {
      workspace: record.workspace,
      id: record.id,
      by: idOf('U', by),
      seen: seenOn(messageOf(n, CARD)) ?? seenIn(record),
      click: `${by} ${act} ${record.version}`,
    };
    const confirm = () => {
      const answers: World['confirmed'][number]['answers'] = [];
      const { team, id } = ref;
      world.confirmed.push({ team, request: id, by: target.by, act, at: now(), answers });
      const moment = nextMoment();
      const chooseWith =
        (acknowledged?: string) =>
        async ({ bot }: Replica) => {
          const tried = { from: now(), step: recordOf(n)?.steps.at(-1) };
          try {
            const choice = { ...target, moment, acknowledged };
            const result = await bot().useCases.resolveManually(choice, act);
            answers.push({ type: result.type, ...tried, at: now() });
            if (result.type === 'done_before' || result.type === 'maybe_done_before')
              insist(acknowledging(result.type, result.by));
          } catch (error) {
            answers.push({ type: 'fault', ...tried, at: now() });
            throw error;
          }
        };
      // They may be warned of one request after the other.
      function insist(acknowledged: string): void {
        if (answers.length >= MOST_TRIES) return;
        scheduler.after(INSISTS_AFTER_MS, () =>
          use(`${by} insists on ${act} for request ${n}`, chooseWith(acknowledged)),
        );
      }
      use(`${by} chooses ${act} for request ${n}`, chooseWith());
    };
    if (after > 0) scheduler.after(after, confirm);
    else confirm();
  }

  return { request, decide };
}
