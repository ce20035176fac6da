/** Before every file of end-to-end tests. */
import { STORAGE } from './desk-storage.ts';
import { needsRedis } from './redis.ts';

if (STORAGE === 'redis') needsRedis();
