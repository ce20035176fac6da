/** A proxy between the bot and an order service that checks each request and answer against the interface. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { ErrorBody, OPERATIONS, type Operation } from './contract.ts';

export type ContractProxy = {
  /** The address that the bot is given in place of the service's. */
  url: string;
  /** Forwards later requests to this address. */
  leadTo(url: string): void;
  /** The operations that were called, in order, each with the status of its answer. */
  seen: string[];
  /** Deviations from the interface. */
  violations: string[];
};

/** The tokens and methods seen on one connection. */
type Connection = { tokens: Set<string>; methods: string[] };

const HEADERS = 'host connection authorization accept accept-encoding content-type content-length'.split(' ');

export async function startContractProxy(): Promise<ContractProxy> {
  const seen: string[] = [];
  const violations: string[] = [];
  const connections = new Map<Socket, Connection>();
  let target = '';

  const server = createServer(async (message, response) => {
    const body = await buffer(message);
    const operation = operationOf(message);
    const connection = connections.get(message.socket) ?? { tokens: new Set(), methods: [] };
    connections.set(message.socket, connection);
    const answer = await handOn(target, message, body);
    const name = operation?.name ?? `${message.method} ${message.url}`;
    seen.push(`${name} ${answer.status}`);
    const problems = [
      ...requestProblems(operation, message, body),
      ...connectionProblems(connection, message),
      ...answerProblems(operation, answer),
    ];
    violations.push(...problems.map((problem) => `${name} breaks: ${problem}`));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (url) => {
      target = url;
    },
    seen,
    violations,
  };
}

function operationOf({ method, url = '' }: IncomingMessage): Operation | undefined {
  return OPERATIONS.find((operation) => operation.method === method && operation.path.test(url));
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

async function handOn(target: string, message: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, url, headers } = message;
  const sent = httpRequest(new URL(url ?? '/', target), { method, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const type = answer.headers['content-type'];
  const more: Record<string, string> = type ? { 'content-type': type } : {};
  return { status: answer.statusCode ?? 0, headers: more, body: await buffer(answer) };
}

function requestProblems(operation: Operation | undefined, message: IncomingMessage, body: Buffer): string[] {
  if (!operation) return ['the interface has no such operation'];
  const { headers, rawHeaders } = message;
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return broken({
    'no header but those of the interface, each once': names.every(
      (name, i) => HEADERS.includes(name) && names.indexOf(name) === i,
    ),
    'a bearer token (section 5)': /^Bearer \S+$/.test(headers.authorization ?? ''),
    'an answer in JSON is asked for, uncompressed':
      headers.accept === 'application/json' && headers['accept-encoding'] === 'identity',
    'a body as section 2 shows it': isAsShown(operation.sends, body),
    'a body of JSON with its length': operation.sends
      ? headers['content-type'] === 'application/json' && headers['content-length'] === `${body.length}`
      : headers['content-type'] === undefined && (headers['content-length'] ?? '0') === '0',
  });
}

function connectionProblems(connection: Connection, { method = '', headers }: IncomingMessage): string[] {
  const { tokens, methods } = connection;
  tokens.add(headers.authorization ?? '');
  methods.push(method);
  const isAlone = methods.length === 1 && headers.connection === 'close';
  return broken({
    'one token per connection': tokens.size === 1,
    'a connection of its own, unless it shares one with reads':
      isAlone || methods.every((each) => each === 'GET'),
  });
}

function answerProblems(operation: Operation | undefined, { status, body }: Answer): string[] {
  if (!operation || status >= 400)
    return broken({ 'an error body in the answer (section 7)': isAsShown(ErrorBody, body) });
  return broken({
    'the status of a success (section 4)': status === (operation.status ?? status) && status < 300,
    'the body of a success (section 2)': isAsShown(operation.answers, body),
  });
}

/** Returns the rules that do not hold. */
const broken = (rules: Record<string, boolean>): string[] =>
  Object.keys(rules).filter((rule) => !rules[rule]);

function isAsShown(schema: Operation['sends'], body: Buffer): boolean {
  if (!schema) return body.length === 0;
  try {
    return schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))).success;
  } catch {
    return false;
  }
}
