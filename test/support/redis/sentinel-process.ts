/** A sentinel that fails over soon. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer, launch, onFreePort } from './redis-server.ts';

/** The sentinel's name for the master and its replicas. */
export const MASTER = 'desk';

export type Sentinel = {
  /** HOST:PORT */
  address: string;
  /** Ends it and removes its folder. */
  stop(): void;
};

/**
 * @param master the port of the server that takes writes
 * @param settings more lines of its file; a port that is set there is its only one
 * @param ofMaster lines that must stand behind that of the master
 */
export async function launchSentinel(
  master: string,
  settings: (port: number) => string[] = (port) => [`port ${port}`],
  ofMaster: readonly string[] = [],
): Promise<Sentinel> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-sentinel-'));
  const file = join(folder, 'sentinel.conf');
  const { port, child } = await onFreePort((at) => {
    const lines = [
      ...settings(at),
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor ${MASTER} 127.0.0.1 ${master} 1`,
      `sentinel down-after-milliseconds ${MASTER} 1000`,
      `sentinel failover-timeout ${MASTER} 1000`,
      ...ofMaster,
    ];
    writeFileSync(file, lines.join('\n'));
    return launch(findRedisServer() ?? '', [file, '--sentinel'], '+monitor master');
  });
  return {
    address: `127.0.0.1:${port}`,
    stop: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
