/** Forwards the frames of Socket Mode's WebSockets, and keeps samples of them. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { parseJson } from '../../src/json.ts';
import { classify, isObject, timelineFieldsOf } from './read-payload.ts';
import type { Recording } from './recording.ts';

export type Relay = ReturnType<typeof createRelay>;

export function createRelay(recording: Recording) {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Map<string, string>();
  const open = new Set<WebSocket>();

  function join(bot: WebSocket, url: string): void {
    const slack = new WebSocket(url);
    const waiting: { data: RawData; binary: boolean }[] = [];
    for (const each of [bot, slack]) open.add(each.on('close', () => open.delete(each)));
    slack.on('open', () => {
      for (const { data, binary } of waiting) slack.send(data, { binary });
    });
    slack.on('message', (data, binary) => {
      if (!binary) keepFrame(recording, 'slack', String(data));
      bot.send(data, { binary });
    });
    bot.on('message', (data, binary) => {
      if (!binary) keepFrame(recording, 'bot', String(data));
      if (slack.readyState === WebSocket.OPEN) slack.send(data, { binary });
      else waiting.push({ data, binary });
    });
    for (const [one, other] of [
      [bot, slack],
      [slack, bot],
    ] as const) {
      one.on('close', () => other.close());
      one.on('error', () => other.terminate());
    }
  }

  return {
    /** @param origin `ws://…` of this server @returns an address at this server that connects to `url`, once */
    ticketFor(url: string, origin: string) {
      const ticket = randomUUID();
      tickets.set(ticket, url);
      return `${origin}/link/?ticket=${ticket}`;
    },
    upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
      const ticket = new URL(message.url ?? '/', 'http://recorder.test').searchParams.get('ticket') ?? '';
      const url = tickets.get(ticket);
      tickets.delete(ticket);
      if (url === undefined) return void socket.destroy();
      server.handleUpgrade(message, socket, head, (bot) => join(bot, url));
    },
    close() {
      for (const each of open) each.terminate();
      server.close();
    },
  };
}

/**
 * Records the content of an envelope as if it had come over HTTP, and the envelope without it. A frame of the bot is an
 * acknowledgement.
 */
function keepFrame(recording: Recording, from: 'bot' | 'slack', text: string): void {
  const frame = parseJson(text);
  if (!isObject(frame)) return;
  const { payload, type } = frame;
  const inside = from === 'slack' && isObject(payload) ? classify(payload) : undefined;
  if (inside) recording.keep({ ...toExchange(inside, frame), from });
  const name = from === 'bot' ? 'acknowledgement' : inside ? 'envelope' : String(type);
  recording.keep({ folder: 'socket', name, from, sample: inside ? { ...frame, payload: {} } : frame });
}

function toExchange({ folder, name, body }: NonNullable<ReturnType<typeof classify>>, frame: object) {
  const retryNum = 'retry_attempt' in frame ? Number(frame.retry_attempt) : undefined;
  return { folder, name, sample: { body }, timeline: { ...timelineFieldsOf(body), retryNum } };
}
