/** Before every file of end-to-end tests. */
import { needsRedis } from '../redis/redis.ts';
import { STORAGE } from './storage.ts';

if (STORAGE === 'redis') needsRedis();
