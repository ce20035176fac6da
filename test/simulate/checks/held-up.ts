/** Checks promise 6: faults of one workspace do not hold up another. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Plan } from '../draw/plan.ts';
import { replyIn } from '../tables/records.ts';
import { requestsOf, timeOf, type World } from '../world/world.ts';

/** The most by which a handful of requests of one workspace may delay each other: a channel takes one message a second. */
const PROMPT_MS = 20_000;

export function checkHeldUp(world: World, { faultFreeTeam }: Plan): void {
  if (faultFreeTeam === undefined) return;
  for (const record of requestsOf(world, faultFreeTeam)) checkPrompt(world, record);
}

/** Checks that calls are made and replies are posted promptly. */
function checkPrompt(world: World, record: RequestRecord): void {
  const { witness } = world;
  const { id, steps } = record;
  const name = witness.nameOf(id);
  for (const [n, { state, at, n: number }] of steps.entries()) {
    const next = steps[n + 1];
    if (state === 'queued' && next && next.at - at > PROMPT_MS)
      witness.violated(`held up: ${name} was queued for ${next.at - at} ms`);
    const { delivery } = replyIn(record, number) ?? {};
    const postedAt = delivery?.status === 'posted' ? timeOf(world, delivery.ts) : at;
    if (postedAt - at > PROMPT_MS)
      witness.violated(`held up: ${name} got its reply for ${state} after ${postedAt - at} ms`);
  }
}
