/** Sets of members by key, so that a row is found without looking through all rows: a port. */

export type MemberIndex = {
  /** Lists a member under these keys, and leaves it under those that it has. */
  add(member: string, keys: readonly string[]): Promise<void>;
  /** Lists a member under these keys and no others; without any it is gone. */
  keep(member: string, keys: readonly string[]): Promise<void>;
  /** @returns at most `limit` members of a key in the order of their bytes, those behind `after` */
  members(key: string, page: MemberPage): Promise<string[]>;
  count(key: string): Promise<number>;
};

export type MemberPage = { after: string | undefined; limit: number };
