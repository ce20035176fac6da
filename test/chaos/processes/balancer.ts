/**
 * A load balancer: each connection goes to the next replica that accepts it. A frozen replica accepts connections and does
 * not answer, as in real life.
 */
import type { Socket } from 'node:net';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { acceptConnections, connectTo, joinSockets, type Listener } from './tcp.ts';

export type Balancer = { port: number; close: Listener['close'] };

export async function startBalancer(replicas: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  let turn = 0;
  const { close } = await acceptConnections(port, (client, keep) => {
    turn += 1;
    void forward(client, keep, turn);
  });

  async function forward(client: Socket, keep: (socket: Socket) => Socket, from: number): Promise<void> {
    for (let tries = 0; tries < replicas.length; tries++) {
      const replica = await connectTo(replicas[(from + tries) % replicas.length] ?? 0);
      if (replica) return joinSockets(client, keep(replica));
    }
    client.destroy();
  }

  return { port, close };
}
