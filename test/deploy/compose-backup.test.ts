/**
 * The backup of the Redis of compose.yaml, and its way back: docs/running.md. A script stands for Docker, with the machine as the
 * container.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOnPath } from '../../sandbox/lib/on-path.ts';
import { runDocumented } from '../process/support/documented.ts';
import { needs } from '../support/needs.ts';
import { needsRedis } from '../support/redis/redis.ts';
import { startRedisServer } from '../support/redis/redis-server.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');

/** Runs the commands of a container in its working directory, which is the folder of the volume, with the given variables alone. */
const DOCKER = `#!/bin/sh
set -eu
act=$2
shift 2
case $act in stop | up) exit ;; esac
variables=
while :; do
  case $1 in
    --env) variables="$variables $2=$(printenv "$2")"; shift 2 ;;
    --volume) from=\${2%:/backup}; shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
case $act in
  cp) exec cp -r "\${1#redis:}" "$2" ;;
  exec) shift; cd data; exec env -i PATH="$PATH" $variables "$@" ;;
  run) shift; cd data; exec "$1" "$2" "$(printf %s "$3" | sed "s#/backup#$from#g")" ;;
esac
`;

needsRedis(true);
needs(findOnPath('redis-cli') !== undefined, 'redis-cli on PATH');

test('the Redis of compose.yaml is backed up and restored by the documented commands', async () => {
  const folder = temporaryFolder();
  for (const each of ['deploy', 'data']) mkdirSync(join(folder, each));
  for (const file of ['users.acl', 'backup-redis.sh'])
    copyFileSync(join(DEPLOY, file), join(folder, 'deploy', file));
  writeFileSync(join(folder, 'docker'), DOCKER, { mode: 0o755 });
  runDocumented(['Prepare Redis', 'Prepare compose'], folder, {}, { page: 'docs/deploying.md' });

  const server = await startRedisServer([
    ...['--aclfile', join(folder, 'users.acl'), '--appendonly', 'yes', '--dir', join(folder, 'data')],
  ]);
  onTestFinished(server.stop);
  const { port } = new URL(server.url);
  const REDISCLI_AUTH = readFileSync(join(folder, 'redis-admin-password'), 'utf8').trim();
  const redis = (...args: string[]) =>
    execFileSync('redis-cli', ['-e', '-p', port, '--user', 'admin', ...args], {
      env: { ...process.env, REDISCLI_AUTH },
      encoding: 'utf8',
    });
  const replaced = {
    '127.0.0.1 6379': `127.0.0.1 ${port}`,
    '/tmp/backup': join(folder, 'within'),
    'docker compose': './docker compose',
  };

  const backUp = () => runDocumented('Back up the Redis of Compose', folder, {}, { replaced });
  const restore = () => runDocumented('Restore the Redis of Compose', folder, {}, { replaced });
  redis('SET', 'before', '1');
  backUp();
  expect(readdirSync(join(folder, 'backup'))).toEqual(['appendonlydir']);
  redis('SET', 'since', '1');
  expect(backUp).toThrow('File exists');
  expect(readdirSync(join(folder, 'backup'))).toEqual(['appendonlydir']);
  expect(readdirSync(folder)).not.toContain('within');
  renameSync(join(folder, 'backup'), join(folder, 'older'));
  backUp();
  redis('SET', 'after', '1');
  await server.kill();
  restore();
  await server.restart();
  expect(['before', 'since', 'after'].map((key) => redis('GET', key))).toEqual(['1\n', '1\n', '\n']);
  await server.kill();
  rmSync(join(folder, 'backup'), { recursive: true });
  expect(restore).toThrow('No such file');
  await server.restart();
  expect(redis('GET', 'since')).toBe('1\n');
});
