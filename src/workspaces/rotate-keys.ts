/** Use case: an operator has added a new first key, and all secrets are resealed with it. Counts secrets that no key opens. */
import { z } from 'zod';
import { SealError } from './cipher.ts';

/**
 * `resealed`, `current`: how many were resealed, or had the first key already. `unopened`: workspaces with secrets that can't
 * be opened or read. `busy`: workspaces that somebody else works on, so that the rotation must be run again. Both were left
 * unchanged.
 */
export type Resealed = { resealed: number; current: number; unopened: string[]; busy: string[] };

/** `current`: the first key has sealed it already. */
export type Resealing = 'resealed' | 'current' | 'busy';

/** A store of sealed secrets, of workspaces and organizations. */
export type Sealed = {
  ids(): AsyncGenerator<string, void>;
  /** Reseals with the first key what another key has sealed. @throws SealError or z.ZodError, as `mustOpen` */
  reseal(id: string): Promise<Resealing>;
  /** @throws SealError or z.ZodError if a secret can't be opened or read */
  mustOpen(id: string): Promise<void>;
};

/** Whether an error means that stored data can't be opened or read, permanently. */
export const isUnopened = (error: unknown): boolean =>
  error instanceof SealError || error instanceof z.ZodError;

/** Reseals all secrets. The next run completes an interrupted one. @throws if the storage is unavailable */
export async function rotateKeys(holders: readonly Pick<Sealed, 'ids' | 'reseal'>[]): Promise<Resealed> {
  const counts = { resealed: 0, current: 0 };
  const left = { unopened: new Set<string>(), busy: new Set<string>() };
  for (const holder of holders)
    for await (const id of holder.ids()) {
      const done = await holder.reseal(id).catch((error) => {
        if (!isUnopened(error)) throw error;
        return 'unopened' as const;
      });
      if (done === 'busy' || done === 'unopened') left[done].add(id);
      else counts[done] += 1;
    }
  return { ...counts, unopened: [...left.unopened], busy: [...left.busy] };
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
