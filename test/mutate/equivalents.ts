/** Mutants that change nothing which anybody could observe, with the reason. At most one in twenty of those that are drawn. */
import type { Placed } from './applied.ts';

/** `from`, `to`: the texts of the mutant, which stay the same when lines move. */
type Equivalent = Pick<Placed, 'file' | 'from' | 'to'> & { reason: string };

const EQUIVALENTS: readonly Equivalent[] = [];

/** @returns why nothing can kill this mutant; undefined: something can */
export const whyEquivalent = ({ file, from, to }: Placed): string | undefined =>
  EQUIVALENTS.find((each) => each.file === file && each.from === from && each.to === to)?.reason;
