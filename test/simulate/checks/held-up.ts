/** Promise 6: nothing that fails for one workspace holds up another. */
import type { RequestRecord } from '../../../src/requests/model/record.ts';
import type { Plan } from '../draw/plan.ts';
import type { World } from '../replica.ts';
import { idOf } from '../world/slack-side.ts';

/** Its own requests, a handful, may be in each other's way for as long: a message a second into one channel. */
const PROMPT_MS = 20_000;

export function checkHeldUp(world: World, { spared }: Plan): void {
  if (spared === undefined) return;
  for (const { record } of world.stored.requests.entries())
    if (record.workspace === idOf('T', spared)) checkPrompt(world, record);
}

/** Checks that decided requests are called, and their steps posted, promptly. */
function checkPrompt({ witness }: World, { target, steps }: RequestRecord): void {
  for (const [n, { state, at, reply }] of steps.entries()) {
    const next = steps[n + 1];
    if (state === 'queued' && next && next.at - at > PROMPT_MS)
      witness.violated(`held up: ${target} was queued for ${next.at - at} ms`);
    const toldAt = reply?.delivery.status === 'posted' ? Number(reply.delivery.ts) * 1_000 : at;
    if (toldAt - at > PROMPT_MS)
      witness.violated(`held up: ${target} was told ${state} after ${toldAt - at} ms`);
  }
}
