/**
 * Tells a play line by line: acts, faults, what Slack shows, calls, the steps of requests and the bot's errors, each with its
 * time.
 */
import { FOUND_PLAYS } from '../draw/found.ts';
import { drawPlay, type Play, type Played, play, repeat, T0 } from '../play.ts';
import { shrink } from './shrink.ts';

const MINUTE_MS = 60_000;

/** "1:05.250": minutes, seconds and milliseconds since the start of the play. */
function clock(ms: number): string {
  const seconds = ((ms % MINUTE_MS) / 1_000).toFixed(3).padStart(6, '0');
  return `${Math.floor(ms / MINUTE_MS)}:${seconds}`;
}

function story({ plan }: Play, { told, violations }: Played): string {
  const { acts: _acts, replicas, policies, ...rest } = plan;
  return [
    `${replicas} replicas; policies ${JSON.stringify(policies)}; ${JSON.stringify(rest)}`,
    ...told.map(({ at, line }) => `${clock(at - T0)} ${line}`),
    ...violations.map((violation) => `=> ${violation}`),
  ].join('\n');
}

/**
 * @param n the seed of a failing play or, with `isFound`, its number among the plays that failed in the past
 * @returns its story, shrunk, with its JSON for test/simulate/found
 */
export async function shrunkStory(n: number, isFound: boolean): Promise<string> {
  const found = isFound ? FOUND_PLAYS[n] : undefined;
  const smallest = await shrink(found ? repeat(found) : drawPlay(n));
  const last = await play(smallest, { isTold: true });
  const { plan, choices = last.taken } = smallest;
  return `${story(smallest, last)}\nfound: ${JSON.stringify({ plan, choices })}`;
}

/** @returns the story of the play of `seed`, as it is drawn, and the number of its violations */
export async function tell(seed: number): Promise<{ text: string; violations: number }> {
  const given = drawPlay(seed);
  const played = await play(given, { isTold: true });
  return { text: story(given, played), violations: played.violations.length };
}
