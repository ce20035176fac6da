/** deploy/countermand.service, as far as it can be tried without systemd as the first process: docs/deploying.md. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { connect } from '../../sandbox/connect.ts';
import { appAddress, botEnvironment } from '../../sandbox/environment.ts';
import { freePort } from '../../sandbox/lib/http/free-port.ts';
import { createJournal } from '../../sandbox/lib/http/journal.ts';
import { findOnPath } from '../../sandbox/lib/on-path.ts';
import { startOrderService } from '../../sandbox/order-service/start.ts';
import { startSlack } from '../../sandbox/slack/start.ts';
import { commandsUnder } from '../process/support/documented.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/storage/stores.ts';
import { needsBubblewrap, startConfined } from './support/confined.ts';

const UNIT = join(import.meta.dirname, '../../deploy/countermand.service');
const ANALYZE = findOnPath('systemd-analyze');
/** On Debian: `nobody`. */
const SOMEBODY = 65_534;

/** The values of a setting, in the unit's order. */
const valuesOf = (name: string): string[] =>
  readFileSync(UNIT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1));

describe('systemd-analyze', () => {
  needs(ANALYZE !== undefined, 'systemd-analyze on PATH');

  const analyze = (...args: string[]) =>
    execFileSync(ANALYZE ?? 'systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' });

  test('accepts the unit', () => {
    // It looks for the programs of the unit on this machine.
    const folder = temporaryFolder();
    const copy = join(folder, 'countermand.service');
    writeFileSync(copy, readFileSync(UNIT, 'utf8').replace('/usr/bin/node', process.execPath));
    expect(analyze('verify', '--man=no', copy)).toBe('');
    writeFileSync(copy, readFileSync(UNIT, 'utf8').replace('/usr/bin/node', '/nowhere/node'));
    expect(() => analyze('verify', '--man=no', copy)).toThrow('/nowhere/node');
  });

  test('rates its exposure at 2.5 of 10 or less', () => {
    const rated = analyze('security', '--offline=true', '--threshold=25', UNIT);
    expect(rated).toContain('Overall exposure level for countermand.service: 1.5 OK');
  });
});

test('its limits are those of compose.yaml, and of docs/running.md: about twice the memory that was measured', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const { services } = parse(read('compose.yaml')) as {
    services: { countermand: { mem_limit: string; cpus: number } };
  };
  const { mem_limit, cpus } = services.countermand;
  const [memory = '', quota = ''] = [...valuesOf('MemoryMax'), ...valuesOf('CPUQuota')];
  expect([mem_limit, cpus]).toEqual([memory.toLowerCase(), Number.parseFloat(quota) / 100]);
  const [, section = ''] = read('docs/running.md').split('### Memory and processor');
  const text = section.split('\n## ')[0] ?? '';
  expect(text).toMatch(new RegExp(`${Number.parseFloat(memory)} MB, .* ${cpus} cores`, 's'));
  const measured = [...text.matchAll(/\| (\d+) MB/g)].map(([, mb]) => Number(mb));
  expect(measured).toHaveLength(6);
  expect(Math.max(...measured) * 2).toBeLessThan(Number.parseFloat(memory));
});

const DEPLOYING = 'docs/deploying.md';

/** The documented commands that put the bundle in its place. */
const commandsToInstall = (place: string): string =>
  commandsUnder('Install the service', DEPLOYING)
    .split('\n')
    .filter((line) => line.endsWith(' /opt/countermand'))
    .map((line) => line.replaceAll('/opt/countermand', place))
    .join('\n');

test('the documented commands replace an older bundle', () => {
  const folder = temporaryFolder();
  const [bundle, installed] = [join(folder, 'dist'), join(folder, 'installed')];
  const commands = commandsToInstall(installed);
  for (const chunk of ['old', 'new']) {
    rmSync(bundle, { recursive: true, force: true });
    mkdirSync(bundle);
    writeFileSync(join(bundle, `${chunk}.mjs`), '');
    execFileSync('/bin/sh', ['-euc', commands], { cwd: folder });
    expect(readdirSync(installed)).toEqual([`${chunk}.mjs`]);
  }
});

test('the commands that prepare Redis leave the umask of the shell as it is, and change nothing the second time', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deploy'));
  cpSync(join(dirname(UNIT), 'users.acl'), join(folder, 'deploy/users.acl'));
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  // Typed, not run by a script that ends at an error.
  const typed = ['-c', `umask 022\n${commandsUnder('Prepare Redis', DEPLOYING)}umask`];
  expect(execFileSync('/bin/sh', typed, options)).toBe('0022\n');
  const files = ['.env', 'users.acl', 'redis-admin-password'];
  const read = () => files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const written = read();
  execFileSync('/bin/sh', typed, options);
  expect(read()).toEqual(written);
});

test('the user of the service can read the installed bundle, whatever the umask of root', () => {
  const folder = temporaryFolder();
  const installed = join(folder, 'installed');
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/countermand.mjs'), '');
  execFileSync('/bin/sh', ['-euc', `umask 077\n${commandsToInstall(installed)}`], { cwd: folder });
  expect(statSync(installed).mode & 0o777).toBe(0o755);
  expect(statSync(join(installed, 'countermand.mjs')).mode & 0o777).toBe(0o644);
});

test('compose.yaml publishes the port at which the bot listens', () => {
  const { services } = parse(readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8')) as {
    services: { countermand: { ports: string[] } };
  };
  const published = (port: string) =>
    services.countermand.ports.map((each) => each.replaceAll(/\$\{PORT:-(\d+)\}/g, port));
  expect(published('$1')).toEqual(['127.0.0.1:3000:3000']);
  expect(published('8080')).toEqual(['127.0.0.1:8080:8080']);
});

test('the sandbox of compose.yaml starts in a fresh clone, which has no .env', () => {
  const { services } = parse(readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8')) as {
    services: { countermand: { env_file: unknown } };
  };
  expect(services.countermand.env_file).toEqual([{ path: '.env', required: false }]);
});

describe('ExecStart', () => {
  needsBubblewrap();

  test('runs as another user, who can write the folders of the unit and nothing else', async () => {
    const root = temporaryFolder();
    chmodSync(root, 0o755);
    const folder = (name: string) => {
      mkdirSync(join(root, name), { mode: 0o755 });
      if (process.getuid?.() === 0) chownSync(join(root, name), SOMEBODY, SOMEBODY);
      return join(root, name);
    };
    const program = join(root, 'program');
    cpSync(dirname(inject('bundle')), program, { recursive: true });
    const [state, cache, logs] = [folder('state'), folder('cache'), folder('logs')];
    expect(valuesOf('LogsDirectory')).toEqual(['countermand']);
    const [documented = ''] =
      /\/var\/log\/\w+/.exec(readFileSync(join(dirname(UNIT), '../docs/configuration.md'), 'utf8')) ?? [];
    const journal = createJournal();
    const [service, slack] = [await startOrderService({ journal }), await startSlack({ journal })];
    onTestFinished(async () => {
      await slack.close();
      await service.close();
    });
    const port = await freePort();
    const own = valuesOf('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')));
    const [start = ''] = valuesOf('ExecStart');
    const [, ...args] = start.split(' ');
    const bot = startConfined({
      command: ['/opt/node/node', ...args],
      env: {
        ...Object.fromEntries(own),
        ...botEnvironment({ slack, service }, { port }),
        AUDIT_FILE: join(documented, 'audit.jsonl'),
      },
      folders: {
        '/opt/countermand': { from: program, isWritable: false },
        '/var/lib/countermand': { from: state, isWritable: true },
        '/var/cache/countermand': { from: cache, isWritable: true },
        '/var/log/countermand': { from: logs, isWritable: true },
      },
      cwd: valuesOf('WorkingDirectory')[0] ?? '',
      user: SOMEBODY,
    });
    await expect.poll(bot.output).toContain('Countermand is ready');
    slack.connectApp(appAddress(port));
    await connect({ slack, service });
    await expect
      .poll(() => existsSync(join(logs, 'audit.jsonl')) && readFileSync(join(logs, 'audit.jsonl'), 'utf8'))
      .toContain('"act":"connected"');
    await bot.terminate();
    expect(await bot.ended).toBe(0);
    expect(readFileSync(join(state, 'data/countermand.db')).subarray(0, 15).toString()).toBe(
      'SQLite format 3',
    );
  });
});
