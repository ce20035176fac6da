/** Checks at the start whether the keys fit the stored data; otherwise an agent would be the first to notice. */
import { isUnopened, type Sealed } from './rotate-keys.ts';

/**
 * @param stopping aborted at shutdown
 * @returns the number of workspaces and organizations with secrets that can't be opened or read; none is named
 * @throws if the storage is unavailable
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
