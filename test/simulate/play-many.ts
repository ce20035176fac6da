/** Plays one play after the other. */
import { type Played, play, playOf } from './play.ts';
import { shrink } from './shrink.ts';
import { story } from './story.ts';
import { createTrace } from './trace.ts';

export type Result = {
  played: number;
  perSecond: number;
  /** Of the traces of all plays. */
  hash: string;
  failed: { seed: number; violations: readonly string[] }[];
  coverage: ReadonlyMap<string, number>;
  /** The story of a play that failed, made as small as it gets. */
  tell(seed: number): Promise<string>;
};

type Given = { seed: number; plays: number; stopAtFirst?: boolean };

export async function playMany({ seed, plays, stopAtFirst = false }: Given): Promise<Result> {
  const began = performance.now();
  const failed: Result['failed'] = [];
  const coverage = new Map<string, number>();
  const trace = createTrace(false);
  let played = 0;
  while (played < plays && !(stopAtFirst && failed.length > 0)) {
    const at = seed + played;
    const { violations, hash, coverage: covered } = await play(playOf(at));
    played += 1;
    trace.note(hash);
    for (const [cell, hits] of covered) coverage.set(cell, (coverage.get(cell) ?? 0) + hits);
    if (violations.length > 0) failed.push({ seed: at, violations });
  }
  const perSecond = Math.round((played / (performance.now() - began)) * 1_000);
  return { played, perSecond, hash: trace.hash(), failed, coverage, tell };
}

async function tell(seed: number): Promise<string> {
  const smallest = await shrink(playOf(seed));
  const last: Played = await play(smallest);
  const { plan, choices = last.taken } = smallest;
  return `${story(smallest, last)}\nfound: ${JSON.stringify({ plan, choices })}`;
}
