/** Describes the machine that was measured: its figures hold for no other machine, and only their ratios are comparable. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { findRedisServer } from '../../test/support/redis/redis-server.ts';
import { IS_PINNED } from './processes.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['@slack/bolt', 'undici', 'zod', 'keyv', '@keyv/redis', 'bullmq'];

export function describeMachine() {
  return {
    node: process.version,
    sqlite: process.versions['sqlite'],
    redis: /v=(\S+)/.exec(
      execFileSync(findRedisServer() ?? 'redis-server', ['--version'], { encoding: 'utf8' }),
    )?.[1],
    packages: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
    commit: spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout.trim(),
    cpu: `${availableParallelism()} x ${cpus()[0]?.model.trim()}`,
    pinned: IS_PINNED,
    /** Over the last minute, before the bench began: whether anybody else used the machine. */
    loadBefore: loadavg()[0]?.toFixed(2),
  };
}

export type Machine = ReturnType<typeof describeMachine>;

function versionOf(name: string): string {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

export function machineText({
  node,
  sqlite,
  redis,
  packages,
  cpu,
  pinned,
  loadBefore,
  commit,
}: Machine): string {
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return [
    `Node ${node}, SQLite ${sqlite}, Redis ${redis}, ${versions.join(', ')}.`,
    `${cpu}; ${pinned ? 'server on one core, load and Redis on the other' : 'nothing pinned'}; load average before: ${loadBefore}. Source: ${commit}.`,
  ].join('\n');
}
