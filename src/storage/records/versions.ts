/** Draws the versions of records. */
import { randomInt } from 'node:crypto';

/** What `randomInt` can draw; a double holds it exactly. */
const MOST = 2 ** 48 - 1;

/**
 * @returns a version that no record had before. Counted ones would repeat after a failover that has undone writes: a process
 *   that was frozen meanwhile would take another record for the one that it has read, and overwrite it.
 */
export const newVersion = (): number => randomInt(1, MOST);
