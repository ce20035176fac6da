import { expect, onTestFinished, test } from 'vitest';
import { createQueueClient } from '../../../../src/storage/redis/connection/connection.ts';
import { emptyRedis, needsRedis } from '../../../support/redis/redis.ts';

needsRedis(true);

test('a refusal comes later, except of a script that the server does not know, which is then sent', async () => {
  const { url, prefix } = await emptyRedis();
  const client = createQueueClient(url).duplicate();
  onTestFinished(() => client.destroy());
  await client.connect();
  await client.set(`${prefix}:a`, 'text');
  const heard: string[] = [];
  const hear = ({ message }: Error) => void heard.push(message.split(' ', 1).join());
  await Promise.all([
    client.sendCommand(['LPOP', `${prefix}:a`]).catch(hear),
    client.sendCommand(['EVALSHA', 'f'.repeat(40), '0']).catch(hear),
  ]);
  expect(heard).toEqual(['NOSCRIPT', 'WRONGTYPE']);
});
