/** The address of the storage, as STORAGE_URL names it. */
import type { RedisAddress } from './redis/connection/address.ts';

export type StorageAddress = { type: 'sqlite'; path: string } | ({ type: 'redis' } & RedisAddress);
