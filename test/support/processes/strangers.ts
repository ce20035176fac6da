/** Requests by somebody who can reach the bot and knows no signing secret. */
import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** Returns headers that look like Slack's: only with the body can the bot tell that the signature is wrong. */
export function signedBy(body: string, secret = 'a guess'): Record<string, string> {
  const timestamp = `${Math.floor(Date.now() / 1_000)}`;
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}

/** The bytes of its body that a request sends before it stalls, and those that it has announced. */
export type Stalling = { sent: number; announced: number };

/** Opens connections that send a part of a body, and stay until they are closed. */
export function createStaller(port: number) {
  const open = new Set<Socket>();
  let accepted = 0;
  let body = Buffer.alloc(0);

  function stall({ sent, announced }: Stalling): void {
    if (body.length !== sent) body = Buffer.alloc(sent, 'x');
    const lines = Object.entries(signedBy('')).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(port, '127.0.0.1', () => {
      accepted += 1;
    });
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
    // An answer is not of interest, and one that is not read would keep the socket from closing.
    socket.resume();
    socket.write(
      `POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: ${announced}\r\n${lines.join('')}\r\n`,
    );
    socket.write(body);
  }

  return {
    /** Opens as many as are missing. */
    fillUp(count: number, stalling: Stalling): void {
      for (let n = open.size; n < count; n++) stall(stalling);
    },
    /** The number of connections that were accepted so far. */
    accepted: () => accepted,
    close(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
