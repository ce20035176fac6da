/**
 * Checks that a message is given up only if its channel, its thread, its reader or the installation is gone; if nobody needs it
 * any more; or if it is a reply in doubt that Slack has refused, and another reply follows.
 */
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { STATES } from '../../../support/seen-requests.ts';
import type { Why } from '../../spans.ts';
import { lastStep } from '../../tables/records.ts';
import { TEAMS } from '../../teams.ts';
import { requestsOf, type World } from '../../world/world.ts';
import { mayBeGivenUp } from './replies.ts';

const GONE: readonly Why[] = [
  'archived',
  'approvals archived',
  'shared',
  'deleted',
  'uninstalled',
  'left',
  'moved',
];

/** The code of a message that nobody needs any more, because the request has gone on without it. */
const NOT_NEEDED = 'not_needed';

export function checkGivenUp(world: World): void {
  for (const team of TEAMS)
    for (const record of requestsOf(world, team)) {
      const about = world.witness.nameOf(record.id);
      const query = { why: GONE, team, about, from: record.createdAt, to: Number.POSITIVE_INFINITY };
      const isGone = world.spans.find(query).length > 0;
      const isFollowed = (n: number) =>
        record.steps.some((step) => step.n === n && mayBeGivenUp({ world, team, record, step }));
      for (const what of givenUpWrongly(record, isGone, isFollowed))
        world.witness.violated(`given up: ${about}: ${what}`);
    }
}

function givenUpWrongly(
  record: RequestRecord,
  isGone: boolean,
  isFollowed: (step: number) => boolean,
): string[] {
  const given = record.messages.flatMap((message) => {
    const { type, delivery } = message;
    const isReplaced = message.type === 'reply' && isFollowed(message.step);
    return delivery.status === 'given_up' && !isReplaced ? [{ type, code: delivery.code }] : [];
  });
  const isOver = !STATES[record.state]?.isOpen || record.steps.length > 1;
  const wrong = given.filter(
    ({ type, code }) => !(isGone || (code === NOT_NEEDED && type !== 'reply' && isOver)),
  );
  return [
    ...wrong.map(({ type, code }) => `its ${type} (${code})`),
    ...(lastStep(record).state === 'not_sent' && !isGone ? ['the request was not sent'] : []),
  ];
}
