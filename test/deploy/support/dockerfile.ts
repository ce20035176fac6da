/**
 * Runs the commands of the Dockerfile without a builder: each stage has an empty folder for its files, and the programs and
 * libraries of this machine in place of those of the base image.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Confined, runConfined } from './confined.ts';

const ROOT = join(import.meta.dirname, '../../..');

const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/** The folder in which the commands find the cache of npm. */
const NPM = '/opt/npm';

function npmCache(): string {
  const folder = join(homedir(), '.npm');
  mkdirSync(folder, { recursive: true });
  return folder;
}

type Instruction = { name: string; rest: string };

/** The last stage, as it is after all its commands. */
export type Image = {
  folders: Confined['folders'];
  env: Record<string, string>;
  workdir: string;
  user: number;
  entrypoint: readonly string[];
  healthcheck: readonly string[];
};

function instructions(): Instruction[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...rest] = line.split(' ');
      return { name, rest: rest.join(' ') };
    });
}

/**
 * @param folder empty; everything is made within it
 * @param context the files that a builder would be sent
 * @param args by the names of ARG
 * @throws at an instruction that it does not know, or a command that fails
 */
export async function buildImage(
  folder: string,
  context: string,
  args: Record<string, string>,
): Promise<Image> {
  const stages = new Map<string, string>();
  let stage = '';
  let image: Image = { folders: {}, env: {}, workdir: '/', user: 0, entrypoint: [], healthcheck: [] };

  const at = (path: string) => join(stage, path);

  async function take({ name, rest }: Instruction): Promise<void> {
    switch (name) {
      case 'FROM': {
        const as = / AS (\w+)$/.exec(rest)?.[1] ?? 'last';
        stage = join(folder, as);
        mkdirSync(stage);
        stages.set(as, stage);
        image = { ...image, folders: {}, env: {}, workdir: '/' };
        return;
      }
      case 'WORKDIR':
        image.workdir = rest;
        if (rest !== '/') provide(rest, { isWritable: true });
        return;
      case 'COPY':
        return copy(rest);
      case 'RUN':
        return run(rest);
      case 'ENV':
        image.env[rest.split('=', 1)[0] ?? ''] = rest.slice(rest.indexOf('=') + 1);
        return;
      case 'USER':
        image.user = Number(rest.split(':')[0]);
        return;
      case 'HEALTHCHECK':
        image.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 3));
        return;
      case 'ENTRYPOINT':
        image.entrypoint = JSON.parse(rest);
        return;
      case 'ARG':
        image.env[rest] = args[rest] ?? '';
        return;
      case 'EXPOSE':
      case 'VOLUME':
        return;
      default:
        throw new Error(`${name} is not known here.`);
    }
  }

  function provide(path: string, { isWritable }: { isWritable: boolean }): void {
    mkdirSync(at(path), { recursive: true });
    image.folders[path] = { from: at(path), isWritable };
  }

  function copy(rest: string): void {
    const [, from, sources = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
    const base = from === undefined ? context : (stages.get(from) ?? '');
    const [target = '', ...given] = sources.split(' ').reverse();
    const to = target.startsWith('/') ? target : join(image.workdir, target);
    if (!Object.keys(image.folders).some((path) => to.startsWith(path))) provide(to, { isWritable: false });
    for (const source of given) {
      const isFolder = source === '.' || from !== undefined;
      cpSync(join(base, source), isFolder ? at(to) : join(at(to), basename(source)), { recursive: true });
    }
  }

  async function run(command: string): Promise<void> {
    // The only command that makes a folder in the root of the system, which bubblewrap does not let anybody write.
    const made = /^install --directory .* (\/\w+)$/.exec(command)?.[1];
    if (made !== undefined) return provide(made, { isWritable: true });
    // npm finds the packages of this project installed, and fetches only what differs, from the registry that this machine uses.
    if (command.startsWith('npm install'))
      await copyFolder(join(ROOT, 'node_modules'), at(join(image.workdir, 'node_modules')));
    const npm = {
      npm_config_cache: NPM,
      npm_config_prefer_offline: 'true',
      npm_config_userconfig: join(homedir(), '.npmrc'),
    };
    await runConfined({
      command: ['/bin/sh', '-c', command],
      env: { ...image.env, ...npm },
      folders: { ...image.folders, [NPM]: { from: npmCache(), isWritable: true } },
      cwd: image.workdir,
    });
  }

  for (const instruction of instructions()) await take(instruction);
  return image;
}

/** Copies the files that a builder is sent: those that .dockerignore names with a "!". */
export function copyContext(to: string): void {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of sent) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(ROOT, path), join(to, path), {
      recursive: true,
      filter: (source) => basename(source) !== 'node_modules',
    });
  }
}
