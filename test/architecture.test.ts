import { describe, expect, test } from 'vitest';
import { foldersAbove, importsWithin, inCycles, readModules } from './support/modules.ts';

/** Imports run one way. A folder or file of src that is not in this table fails the test. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'main.ts': ['app.ts', 'config.ts', 'fault.ts', 'log.ts', 'runtime.ts', 'version.ts'],
  'cli.ts': ['version.ts', 'cli', 'fault.ts'],
  cli: [
    'catalogue',
    'compose',
    'config.ts',
    'fault.ts',
    'export.ts',
    'http',
    'json.ts',
    'log.ts',
    'order-service',
    'outbox',
    'requests',
    'slack',
    'version.ts',
    'workspaces',
  ],
  catalogue: ['requests', 'slack'],
  'app.ts': ['until-done.ts', 'compose', 'config.ts', 'http', 'metrics', 'outbox', 'slack', 'storage'],
  compose: [
    'cache.ts',
    'runtime.ts',
    'config.ts',
    'http',
    'in-turn.ts',
    'jobs',
    'order-service',
    'outbox',
    'requests',
    'slack',
    'storage',
    'workspaces',
  ],
  'config.ts': ['config-fields.ts', 'storage'],
  'config-fields.ts': ['storage', 'workspaces'],
  'log.ts': ['standard-output.ts'],
  'standard-output.ts': [],
  'until-done.ts': ['fault.ts', 'outbox', 'requests'],
  'fault.ts': ['log.ts', 'outbox', 'requests'],
  'json.ts': [],
  'export.ts': ['requests'],
  'cache.ts': [],
  'in-turn.ts': [],
  'compile-cache.ts': [],
  'runtime.ts': ['requests'],
  metrics: [
    'cache.ts',
    'compose',
    'config.ts',
    'http',
    'order-service',
    'outbox',
    'requests',
    'storage',
    'version.ts',
    'workspaces',
  ],
  'version.ts': [],
  http: ['fault.ts', 'outbox', 'requests'],
  slack: [
    'until-done.ts',
    'cache.ts',
    'fault.ts',
    'http',
    'in-turn.ts',
    'json.ts',
    'outbox',
    'requests',
    'workspaces',
  ],
  jobs: ['outbox', 'requests'],
  workspaces: ['cache.ts', 'fault.ts', 'outbox', 'requests'],
  'order-service': ['cache.ts', 'fault.ts', 'http', 'json.ts', 'outbox', 'requests', 'runtime.ts'],
  storage: [
    'cache.ts',
    'export.ts',
    'in-turn.ts',
    'jobs',
    'json.ts',
    'log.ts',
    'outbox',
    'requests',
    'runtime.ts',
    'standard-output.ts',
    'workspaces',
  ],
  requests: ['json.ts', 'outbox'],
  outbox: [],
};

/** The same inside of two folders: their own folders and, as '.', the files beside those. */
const INNER: Record<string, Record<string, readonly string[]>> = {
  requests: {
    '.': ['use-cases'],
    'use-cases': ['store', 'ports', 'model'],
    engine: ['store', 'ports', 'model'],
    store: ['ports', 'model'],
    ports: ['model'],
    model: [],
  },
  slack: {
    '.': ['features', 'listeners', 'messages', 'client', 'blocks', 'transport'],
    features: ['listeners', 'messages', 'directory', 'client', 'blocks'],
    listeners: ['messages', 'directory', 'client', 'blocks'],
    install: ['messages', 'client', 'blocks', 'transport'],
    messages: ['directory', 'client', 'blocks'],
    directory: ['client'],
    transport: ['client'],
    client: [],
    blocks: [],
  },
};

/** Packages and built-ins with side effects, and the modules that may import them. */
const ONLY_IN: Record<string, readonly string[]> = {
  '@slack/bolt': ['catalogue', 'slack'],
  '@slack/oauth': ['slack'],
  '@slack/socket-mode': ['slack'],
  undici: ['http', 'order-service', 'slack'],
  keyv: ['storage', 'workspaces'],
  '@keyv/redis': ['storage'],
  'node:sqlite': ['storage'],
  'p-queue': ['in-turn.ts'],
  bullmq: ['jobs'],
  'prom-client': ['metrics'],
  pino: ['log.ts'],
  'pino-pretty': ['log.ts'],
};

/** The core is pure: it knows no Slack, HTTP, storage, clock or environment. */
const CORE_IMPORTS = ['zod', 'node:crypto'];
const IMPURE =
  /\bprocess\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bsetTimeout\b|\bfetch\(|\bperformance\b/;

/** Time and chance are ports (requests/ports/ports.ts), so that the simulation can decide them. */
const TIME_AND_CHANCE =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bset(Timeout|Interval|Immediate)\b|\bMath\.random\b|\brandom(UUID|Bytes|Int)\b|AbortSignal\.timeout/;

/** Exceptions, and the reason for each: none of it is part of the simulated bot. */
const NAMES_TIME_OR_CHANCE: Record<string, string> = {
  'runtime.ts': 'the port itself, for the real machine',
  'log.ts': 'the log: how often a line is repeated',
  'standard-output.ts': 'the log: what standard output does not take yet',
  'main.ts': 'the process: how long a stop may take',
  'fault.ts': 'a reference for people to quote, the same within a minute; nothing is decided by it',
  'http/': 'sockets and their deadlines',
  'storage/audit-stream.ts': 'a file and standard output: how long it waits for a reader',
  'storage/records.ts': 'the versions of records, of which a simulated storage draws its own',
  'slack/transport/dispatch.ts': 'Bolt: what was not acknowledged in time is logged',
  'slack/transport/socket-connection.ts': 'the WebSocket of Socket Mode',
  'slack/transport/socket-receiver.ts': 'the WebSocket of Socket Mode',
  'slack/install/': "OAuth in a browser, and the SDK's installer",
  'storage/redis/': 'a real engine',
  'storage/sqlite/': 'a real engine',

  'workspaces/cipher.ts': 'a nonce must come from the system; nothing is decided by it',
};

/** The contracts of the storage (test/storage/contracts), and the implementations that each has to run over. */
const CONTRACTS: Record<string, readonly string[]> = {
  recordStoreContract: ['SQLite', 'Redis', 'memory'],
  conditionsContract: ['SQLite', 'Redis', 'memory'],
  furtherContract: ['SQLite', 'Redis', 'memory'],
  keyvContract: ['SQLite', 'Redis', 'memory'],
  isolationContract: ['SQLite', 'Redis'],
  rateLimiterContract: ['in one process', 'between replicas'],
};

const { files, source, imports, local } = readModules('src');

/** The folder of src that a file lives in, or its own name at the top. */
const moduleOf = (file: string) => file.split('/')[0] as string;

/** Turn data into Block Kit or sentences: what does I/O is asynchronous, or comes in a package. */
const MESSAGE_CONTENT =
  /^slack\/(blocks|messages\/(content|sentences))\/|^slack\/features\/.*\b(forms?|modal|timeline|view)\.ts$/;
const ASYNCHRONOUS = /\b(async|await|Promise)\b/;
const PACKAGE_IN_USE = /^import (?!type )[^;]* from '(?!\.|zod')/m;

describe('src', () => {
  test('has no module that the table does not name', () => {
    expect(new Set(files.map(moduleOf))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  test('imports one way', () => {
    const wrong = local.filter(
      ({ file, to }) =>
        moduleOf(file) !== moduleOf(to) && !MAY_IMPORT[moduleOf(file)]?.includes(moduleOf(to)),
    );
    expect(wrong).toEqual([]);
  });

  test.each(Object.keys(INNER))('imports one way inside of %s', (outer) => {
    const inner = INNER[outer] ?? {};
    const folder = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] as string) : '.');
    const inside = local.filter(({ file, to }) => moduleOf(file) === outer && moduleOf(to) === outer);
    const folders = files.filter((file) => moduleOf(file) === outer).map(folder);
    expect(new Set(folders)).toEqual(new Set(Object.keys(inner)));
    const wrong = inside.filter(
      ({ file, to }) => folder(file) !== folder(to) && !inner[folder(file)]?.includes(folder(to)),
    );
    expect(wrong).toEqual([]);
  });

  test.each(['src', 'test', 'sandbox'])('has no import cycle in %s', (root) => {
    const modules = readModules(root);
    const folders = new Set(modules.files.flatMap(foldersAbove));
    const cycles = [...folders]
      .map((folder) => ({ folder, cycle: inCycles(importsWithin(folder, modules)) }))
      .filter(({ cycle }) => cycle.length > 0);
    expect(cycles).toEqual([]);
  });

  test('turns data into messages without I/O', () => {
    const content = files.filter((file) => MESSAGE_CONTENT.test(file));
    expect(content.length).toBeGreaterThan(26);
    const doesMore = (text: string) => ASYNCHRONOUS.test(text) || PACKAGE_IN_USE.test(text);
    expect(content.filter((file) => doesMore(source(file)))).toEqual([]);
  });

  test('never imports the sandbox or a test', () => {
    expect(local.filter(({ to }) => to.startsWith('..'))).toEqual([]);
  });

  test('uses each package with side effects only in the module made for it', () => {
    const wrong = imports.filter(
      ({ file, specifier }) => ONLY_IN[specifier]?.includes(moduleOf(file)) === false,
    );
    expect(wrong).toEqual([]);
  });

  test('keeps its core pure', () => {
    const isCore = (file: string) => ['requests', 'outbox'].includes(moduleOf(file));
    const core = files.filter(isCore);
    const foreign = imports.filter(
      ({ file, specifier }) =>
        isCore(file) && !specifier.startsWith('.') && !CORE_IMPORTS.includes(specifier),
    );
    expect(foreign).toEqual([]);
    expect(core.filter((file) => IMPURE.test(source(file)))).toEqual([]);
  });

  test('takes time and chance from outside', () => {
    const mayName = (file: string) =>
      Object.keys(NAMES_TIME_OR_CHANCE).some(
        (each) => file === each || (each.endsWith('/') && file.startsWith(each)),
      );
    expect(files.filter((file) => TIME_AND_CHANCE.test(source(file)) && !mayName(file))).toEqual([]);
  });

  test('reads the environment in one file', () => {
    expect(files.filter((file) => /process\.env/.test(source(file)))).toEqual(['config.ts']);
  });
});

describe('the contracts of the storage', () => {
  const tests = readModules('test');
  const contracts = tests.files
    .filter((file) => file.endsWith('.contract.ts'))
    .flatMap((file) => [...tests.source(file).matchAll(/^export function (\w+Contract)\(/gm)])
    .map(([, contract = '']) => contract);

  /** The first argument of each run of the contract in a test file, outside of any other test. */
  const runsOf = (contract: string) =>
    tests.files
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => [...tests.source(file).matchAll(new RegExp(`^${contract}\\('([^']+)'`, 'gm'))])
      .map(([, implementation = '']) => implementation);

  test('are those that the table names', () => {
    expect(new Set(contracts)).toEqual(new Set(Object.keys(CONTRACTS)));
  });

  test.each(Object.entries(CONTRACTS))('%s runs over %j, each once', (contract, implementations) => {
    expect(runsOf(contract).sort()).toEqual([...implementations].sort());
  });
});

describe('the simulation', () => {
  const { files: all, source: textOf } = readModules('test/simulate');
  const judges = all.filter((file) => /^(checks|tables|witness)\//.test(file));

  test('takes no rule from the code that it judges, but only the types of data', () => {
    expect(judges.length).toBeGreaterThan(10);
    const imported = judges.flatMap((file) =>
      [...textOf(file).matchAll(/^import (?!type )[^;]*?'((?:\.\.\/)+src\/[^']+)'/gm)].map(([, from]) => ({
        file,
        from,
      })),
    );
    expect(imported).toEqual([]);
  });
});
