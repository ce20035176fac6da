/** A TCP proxy between the bots and their Redis, which can cut connections or drop the answers of Redis. */
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { acceptConnections, connectTo, joinSockets, type Listener } from './tcp.ts';

export type RedisProxy = {
  port: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Redis processes commands, but their answers are lost, with their connection. */
  dropAnswers(): void;
  restore(): void;
  close: Listener['close'];
};

export async function startRedisProxy(server: number): Promise<RedisProxy> {
  const port = await freePort();
  let state: 'sound' | 'cut' | 'deaf' = 'sound';
  const wires = await acceptConnections(port, async (client, keep) => {
    const redis = state === 'cut' ? undefined : await connectTo(server);
    if (!redis || client.destroyed) {
      redis?.destroy();
      client.destroy();
      return;
    }
    joinSockets(client, keep(redis), () => state !== 'deaf');
  });
  return {
    port,
    cut: () => {
      state = 'cut';
      wires.cut();
    },
    dropAnswers: () => {
      state = 'deaf';
    },
    restore: () => {
      state = 'sound';
    },
    close: wires.close,
  };
}
