/** Reads the id of the request that a command is about. */
import { UsageError } from '../command.ts';

/** @throws UsageError */
export function idOf([id, ...more]: string[]): string {
  if (id && more.length === 0) return id.toLowerCase();
  throw new UsageError('Name one request by its id, as the card and "requests list" show it.');
}

export const notFound = (id: string): Error =>
  new Error(`There is no request ${id} in this workspace. "countermand requests list" shows their ids.`);
