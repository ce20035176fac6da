/** Use case: an operator has put a new key in front of the others, and all that is sealed is to be sealed by it. */
import { z } from 'zod';
import { LockedError } from '../requests/ports/locks.ts';
import { SealError } from './cipher.ts';

/**
 * `unopened`: the workspaces of which something can't be opened, or read. `busy`: those at which somebody else was at
 * work all the time, so that it has to be done again. Both were left as they are.
 */
export type Resealed = { resealed: number; current: number; unopened: string[]; busy: string[] };

const nothing = (): Resealed => ({ resealed: 0, current: 0, unopened: [], busy: [] });

/** What holds sealed secrets, of workspaces and organizations. */
export type Sealed = {
  ids(): AsyncGenerator<string, void>;
  /** Seals anew, by the first key, what was sealed by another one. A run that was cut short is taken up by the next. */
  reseal(): Promise<Resealed>;
  /** @throws SealError or z.ZodError where something of it can't be opened or read */
  mustOpen(id: string): Promise<void>;
};

/** Whether an error says that something stored can't be opened or read, and never will be. */
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

/** @param reseal seals anew what one workspace has, and says whether it had to @throws where the storage is away */
export async function resealEach(
  workspaces: AsyncIterable<string>,
  reseal: (workspace: string) => Promise<boolean>,
): Promise<Resealed> {
  const total = nothing();
  for await (const workspace of workspaces) {
    try {
      total[(await reseal(workspace)) ? 'resealed' : 'current'] += 1;
    } catch (error) {
      if (error instanceof LockedError) total.busy.push(workspace);
      else if (isUnopened(error)) total.unopened.push(workspace);
      else throw error;
    }
  }
  return total;
}
