/** The port for an index of members by key, so that a row is found without a scan of all rows. */

export type MemberIndex = {
  /** Adds these keys to those of a member. */
  add(member: string, keys: readonly string[]): Promise<void>;
  /** Sets the keys of a member; without any, the member is removed. */
  keep(member: string, keys: readonly string[]): Promise<void>;
  /** @returns at most `limit` members of a key after `after`, in byte order */
  members(key: string, page: MemberPage): Promise<string[]>;
  count(key: string): Promise<number>;
};

export type MemberPage = { after: string | undefined; limit: number };
