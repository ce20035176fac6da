/** Tells of a play that failed, made as small as it gets. */
import { play, playOf } from '../play.ts';
import { shrink } from './shrink.ts';
import { story } from './story.ts';

export async function tell(seed: number): Promise<string> {
  const smallest = await shrink(playOf(seed));
  const last = await play(smallest);
  const { plan, choices = last.taken } = smallest;
  return `${story(smallest, last)}\nfound: ${JSON.stringify({ plan, choices })}`;
}
