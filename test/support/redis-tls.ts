/** A Redis of our own that is reached over TLS only, with a certificate made for it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../sandbox/lib/free-port.ts';
import { startSentinel } from './redis-sentinel.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { temporaryFolder } from './stores.ts';

export type TlsRedis = {
  server: RedisServer;
  port: number;
  /** The file of the certificate, which is its own authority. */
  certificate: string;
  /** One that watches over it, and is reached over TLS only, too. @returns HOST:PORT */
  startSentinel(): Promise<string>;
};

/**
 * @param names what the certificate is good for: `IP:127.0.0.1`
 * @returns in a few words what is missing for it, on this machine
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
    // Its word for an option that it was built without.
    if (String(error).includes('Bad directive')) return 'this Redis was built without TLS';
    throw error;
  }
}

function makeCertificate(names: string): { certificate: string; key: string } | undefined {
  const folder = temporaryFolder();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = ['-subj', '/CN=countermand-test', '-addext', `subjectAltName=${names}`, '-days', '2'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...made, ...files], { stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return { certificate, key };
}
