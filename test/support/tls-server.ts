/** A TLS server of a test, whose certificate this process trusts until the test has finished. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import {
  createServer,
  getCACertificates,
  type Server,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './redis/certificate.ts';

/**
 * @param serve called with each connection
 * @param prepare called with the server
 * @returns its origin; undefined where there is no openssl
 * @throws with CI=true if there is no openssl
 */
export async function tlsServer(
  serve: (socket: TLSSocket) => void,
  options: TlsOptions = {},
  prepare = (_server: Server): void => {},
): Promise<URL | undefined> {
  const files = makeCertificate('IP:127.0.0.1');
  if (!files) return undefined;
  const [cert, key] = [readFileSync(files.certificate, 'utf8'), readFileSync(files.key, 'utf8')];
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, cert]);
  const server = createServer({ ...options, cert, key }, (socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0, '127.0.0.1');
  prepare(server);
  onTestFinished(() => {
    server.close();
    setDefaultCACertificates(trusted);
  });
  await once(server, 'listening');
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Has a server choose HTTP/2 with every client that offers it. */
export const PREFERS_HTTP2: TlsOptions = { ALPNProtocols: ['h2', 'http/1.1'] };
