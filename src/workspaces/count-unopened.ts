/** Finds out at the start whether the keys fit what is stored: else the first to learn of it would be an agent. */
import { isUnopened, type Sealed } from './rotate-keys.ts';

/**
 * @param stopping aborted at shutdown
 * @returns of how many workspaces and organizations something sealed can't be opened or read; none is named
 * @throws where the storage is away
 */
export async function countUnopened(holders: readonly Sealed[], stopping: AbortSignal): Promise<number> {
  let unopened = 0;
  for (const holder of holders)
    for await (const id of holder.ids()) {
      if (stopping.aborted) return unopened;
      await holder.mustOpen(id).catch((error) => {
        if (!isUnopened(error)) throw error;
        unopened += 1;
      });
    }
  return unopened;
}
