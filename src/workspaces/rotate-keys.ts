/** Use case: an operator has added a new first key, and all secrets are resealed with it. Counts what no key opens. */
import { z } from 'zod';
import { SealError } from './cipher.ts';

/**
 * `unopened`: workspaces with secrets that can't be opened or read. `busy`: workspaces that somebody else works on, so that
 * it must be run again. Both were left unchanged.
 */
export type Resealed = { resealed: number; current: number; unopened: string[]; busy: string[] };

const nothing = (): Resealed => ({ resealed: 0, current: 0, unopened: [], busy: [] });

/** A store of sealed secrets, of workspaces and organizations. */
export type Sealed = {
  ids(): AsyncGenerator<string, void>;
  /** Reseals with the first key what another key has sealed. The next run completes an interrupted one. */
  reseal(): Promise<Resealed>;
  /** @throws SealError or z.ZodError if a secret can't be opened or read */
  mustOpen(id: string): Promise<void>;
};

/** Whether an error means that stored data can't be opened or read, permanently. */
export const isUnopened = (error: unknown): boolean =>
  error instanceof SealError || error instanceof z.ZodError;

export async function rotateKeys(holders: readonly Pick<Sealed, 'reseal'>[]): Promise<Resealed> {
  const total = nothing();
  for (const holder of holders) {
    const { resealed, current, unopened, busy } = await holder.reseal();
    total.resealed += resealed;
    total.current += current;
    total.unopened = [...new Set([...total.unopened, ...unopened])];
    total.busy = [...new Set([...total.busy, ...busy])];
  }
  return total;
}

export type Resealing = 'resealed' | 'current' | 'busy';

/**
 * @param reseal reseals the secrets of one workspace
 *
 * @throws if the storage is unavailable
 */
export async function resealEach(
  workspaces: AsyncIterable<string>,
  reseal: (workspace: string) => Promise<Resealing>,
): Promise<Resealed> {
  const total = nothing();
  for await (const workspace of workspaces) {
    try {
      const done = await reseal(workspace);
      if (done === 'busy') total.busy.push(workspace);
      else total[done] += 1;
    } catch (error) {
      if (isUnopened(error)) total.unopened.push(workspace);
      else throw error;
    }
  }
  return total;
}

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
