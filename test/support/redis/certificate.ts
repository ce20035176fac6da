/** A certificate for servers of a test, which is its own authority. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../storage/stores.ts';

/**
 * @param names its subject alternative name: `IP:127.0.0.1`
 * @returns the paths of its files; undefined where there is no openssl
 * @throws with CI=true if there is no openssl
 */
export function makeCertificate(names: string): { certificate: string; key: string } | undefined {
  const folder = temporaryFolder();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = ['-subj', '/CN=countermand-test', '-addext', `subjectAltName=${names}`, '-days', '2'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...made, ...files], { stdio: 'pipe' });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && process.env['CI'] !== 'true') return undefined;
    throw error;
  }
  return { certificate, key };
}
