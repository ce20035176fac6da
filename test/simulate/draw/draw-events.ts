/** Draws events of the service that come in numbers: it changes its word again and again, or tells of many other requests. */
import type { Random } from '../../chaos/random.ts';
import { isReviewed } from '../../support/seen-requests.ts';
import { MINUTE_MS, soon } from './draw-acts.ts';
import type { Act, Request } from './plan.ts';

/** Milliseconds between two changes: before a reply can be posted, about as fast as replies are, and slower. */
const PACES = [5, 300, 15_000] as const;

/** The service reviews an order anew again and again; perhaps right after a person has said what came of the request. */
export function drawFlips(random: Random, { n, at, kind, item, team }: Request): Act[] {
  if (!isReviewed(kind) || item % 2 === 1 || random.chance(0.92)) return [];
  const first = soon(random, at + 5_000);
  const count = random.chance(0.2) ? random.between(25, 40) : random.between(2, 6);
  const pace = random.pick(PACES);
  const flips = Array.from({ length: count }, (_, nth): Act => {
    const decision = nth % 2 === 1 ? 'pending' : random.pick(['approved', 'denied'] as const);
    return { type: 'review', at: first + nth * pace, team, item, decision };
  });
  if (random.chance(0.5)) return flips;
  const acted = first + random.between(0, count) * pace + random.between(1, 100);
  const act = random.pick(['denied', 'approved', 'in_review', 'release'] as const);
  return [...flips, { type: 'decide', at: acted, n, by: 'olga', act }];
}

/** While a request is sent, the service tells of more requests about its order than the bot keeps at once. */
export function drawForeign(random: Random, { at, kind, item, team }: Request): Act[] {
  if (!isReviewed(kind) || random.chance(0.985)) return [];
  const count = random.between(55, 70);
  return [{ type: 'tell_of_others', at: at + random.between(300, MINUTE_MS / 6), team, item, count }];
}
