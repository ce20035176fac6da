/** The line between the bots and their Redis, which can be cut, or lose what Redis answers. */
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { join, listen, reach, type Wires } from './wires.ts';

export type RedisLine = {
  port: number;
  /** Ends all connections, and takes no new ones. */
  cut(): void;
  /** Whatever is asked is done, and its answer lost, with the connection. */
  deafen(): void;
  mend(): void;
  close: Wires['close'];
};

export async function layRedisLine(server: number): Promise<RedisLine> {
  const port = await freePort();
  let state: 'sound' | 'cut' | 'deaf' = 'sound';
  const wires = await listen(port, async (client, keep) => {
    const redis = state === 'cut' ? undefined : await reach(server);
    if (!redis || client.destroyed) {
      redis?.destroy();
      client.destroy();
      return;
    }
    join(client, keep(redis), () => state !== 'deaf');
  });
  return {
    port,
    cut: () => {
      state = 'cut';
      wires.cut();
    },
    deafen: () => {
      state = 'deaf';
    },
    mend: () => {
      state = 'sound';
    },
    close: wires.close,
  };
}
