/** Checks that nothing is sent or decided while an admin has paused sending, and that the pause is told. */
import type { RequestRecord } from '../../../../src/requests/model/record.ts';
import { SENDING_PAUSED, SENDING_RESUMED } from '../../tables/notices.ts';
import { installedSince, requestsOf, type World } from '../../world/world.ts';
import { messagesOfBot } from '../messages.ts';
import { isPostedNowhere } from '../moved.ts';

/** Half of a claim: by then a call is written to its socket whose claim was stored before the pause. */
const CALLED_WITHIN_MS = 30_000;
/** The length of a claim: votes whose confirmation had begun before the pause have decided by then. */
const DECIDED_WITHIN_MS = 60_000;

export function checkPaused(world: World): void {
  for (const each of world.confirmed) checkRefused(world, each);
  for (const pause of world.pauses) {
    const { team, known } = pause;
    if (known === undefined || installedSince(world, team) > 0) continue;
    checkTold(world, pause);
    const until = pause.resumed?.from ?? Number.POSITIVE_INFINITY;
    for (const record of requestsOf(world, team)) checkHeld(world, record, { known, until });
  }
}

/** The time in which nothing may begin. */
type Held = { known: number; until: number };

function checkHeld({ witness }: World, record: RequestRecord, { known, until }: Held): void {
  const isWithin = (at: number, ms: number) => at > known + ms && at < until;
  const name = witness.nameOf(record.id);
  // A process that was frozen may begin late, and write nothing.
  const received = witness.callsFor(record).filter(({ receivedAt }) => receivedAt !== undefined);
  if (received.some(({ at }) => isWithin(at, CALLED_WITHIN_MS)))
    witness.violated(`pause: ${name} was sent while sending was paused`);
  const decided = record.steps.filter(({ cause }) => cause.type === 'decision');
  if (decided.some(({ at }) => isWithin(at, DECIDED_WITHIN_MS)))
    witness.violated(`pause: ${name} was decided while sending was paused`);
}

/** Checks that whoever reads that sending is paused reads what is true. */
function checkRefused({ spans, witness }: World, { team, request, answers }: World['confirmed'][number]) {
  for (const { type, from, at } of answers)
    if (type === 'paused' && spans.find({ why: ['paused'], team, from, to: at }).length === 0)
      witness.violated(`pause: ${witness.nameOf(request)} was refused, and sending was not paused`);
}

function checkTold(world: World, { team, from, known, resumed }: World['pauses'][number]): void {
  // The end of a pause tells of the pause, too: what Slack has not taken by then is not posted any more.
  const what = resumed ? SENDING_RESUMED : SENDING_PAUSED;
  const { from: acted, known: to } = resumed ?? { from, known };
  if (to === undefined) return;
  const isTold = messagesOfBot(world, team).some(({ text }) => what.test(text));
  if (!isTold && !isPostedNowhere(world, team, { from: acted, to }))
    world.witness.violated(`pause: the notifications channel of ${team} was not told (${what.source})`);
}
