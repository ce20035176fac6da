/** Tells a play in a few lines: who did what, what went otherwise than usual, and what was wrong in the end. */
import type { Act } from '../draw/plan.ts';
import type { Play, Played } from '../play.ts';

const MINUTE_MS = 60_000;

/** "1:05.250": minutes, seconds and milliseconds since the first thing could happen. */
function clock(ms: number): string {
  const seconds = ((ms % MINUTE_MS) / 1_000).toFixed(3).padStart(6, '0');
  return `${Math.floor(ms / MINUTE_MS)}:${seconds}`;
}

function actLine({ at, type, ...rest }: Act): string {
  const words = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return `${clock(at)} ${type.replaceAll('_', ' ')}: ${words.join(', ')}`;
}

export function story({ plan, choices = [] }: Play, { violations }: Pick<Played, 'violations'>): string {
  const lists = `lists ${JSON.stringify(plan.shortPages)}${plan.outsideMarketplace ? ', outside of the Marketplace' : ''}`;
  return [
    `${plan.replicas} replicas; policies ${JSON.stringify(plan.policies)}; ${lists}; clocks ${JSON.stringify(plan.skews)}`,
    ...plan.acts.map(actLine),
    ...choices.map(({ at, take }) => `${at}: ${take}`),
    ...violations.map((violation) => `=> ${violation}`),
  ].join('\n');
}
