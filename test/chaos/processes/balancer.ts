/**
 * A load balancer: each connection, and so each request, goes to the next replica that takes connections. One that is
 * frozen takes them, and answers nothing, as in real life.
 */
import type { Socket } from 'node:net';
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { join, listen, reach, type Wires } from '../faults/wires.ts';

export type Balancer = { port: number; close: Wires['close'] };

export async function startBalancer(replicas: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  let turn = 0;
  const { close } = await listen(port, (client, keep) => {
    turn += 1;
    void handOn(client, keep, turn);
  });

  async function handOn(client: Socket, keep: (socket: Socket) => Socket, from: number): Promise<void> {
    for (let tries = 0; tries < replicas.length; tries++) {
      const replica = await reach(replicas[(from + tries) % replicas.length] ?? 0);
      if (replica) return join(client, keep(replica));
    }
    client.destroy();
  }

  return { port, close };
}
