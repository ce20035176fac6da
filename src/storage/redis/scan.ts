/** Which keys there are: for what is done rarely, since all keys of the server are looked at. */
import type { RedisConnection } from './connection.ts';

/** How many keys are looked at in one round trip. */
export const SCAN_COUNT = 1_000;

/** @param start without any of the characters that a pattern is made of (https://redis.io/docs/latest/commands/keys/) */
export async function keysThatBegin({ read }: RedisConnection, start: string): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const from = cursor;
    const page = await read((client) => client.scan(from, { MATCH: `${start}*`, COUNT: SCAN_COUNT }));
    for (const key of page.keys) found.add(key);
    cursor = String(page.cursor);
  } while (cursor !== '0');
  return [...found];
}
