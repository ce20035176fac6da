/** A Redis server that accepts only TLS, with a certificate made for it. */
import { freePort } from '../../../sandbox/lib/http/free-port.ts';
import { makeCertificate } from './certificate.ts';
import { startSentinel } from './redis-sentinel.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

export type TlsRedis = {
  server: RedisServer;
  port: number;
  /** The file of the certificate, which is its own authority. */
  certificate: string;
  /** Starts a sentinel for it that also accepts only TLS. @returns HOST:PORT */
  startSentinel(): Promise<string>;
};

/**
 * @param names the certificate's subject alternative name: `IP:127.0.0.1`
 * @returns in a few words what this machine lacks for it
 */
export async function startTlsRedis(names: string): Promise<TlsRedis | string> {
  const made = makeCertificate(names);
  if (!made) return 'there is no openssl';
  const { certificate, key } = made;
  const port = await freePort();
  const settings = (at: number) => [
    'port 0',
    `tls-port ${at}`,
    'tls-auth-clients no',
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
  ];
  const options = settings(port).flatMap((line) => `--${line}`.split(' '));
  try {
    return {
      server: await startRedisServer(options),
      port,
      certificate,
      startSentinel: () => startSentinel(`${port}`, (at) => [...settings(at), 'tls-replication yes']),
    };
  } catch (error) {
    // Redis says this of an option that it was built without.
    if (String(error).includes('Bad directive')) return 'this Redis was built without TLS';
    throw error;
  }
}
