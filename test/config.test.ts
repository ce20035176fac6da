import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, environment, parseKeyFile, readConfig, secretsIn } from '../src/config.ts';
import { temporaryFolder } from './support/storage/stores.ts';

const key = randomBytes(32).toString('base64');
const GOOD = {
  PUBLIC_URL: 'https://bot.example/base',
  SLACK_SIGNING_SECRET: 'secret',
  SLACK_BOT_TOKEN: 'xoxb-1',
  ORDER_SERVICE_URL: 'https://orders.example/v1',
};

function problems(variables: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...GOOD, ...variables }, false);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('the configuration', () => {
  test('has defaults for all that is not a secret or an address', () => {
    expect(readConfig(GOOD, true)).toEqual({
      port: 3000,
      host: '0.0.0.0',
      retentionMs: 90 * 86_400_000,
      drainMs: 0,
      publicUrl: new URL('https://bot.example/base/'),
      slack: {
        installing: { type: 'token', botToken: 'xoxb-1' },
        apiUrl: new URL('https://slack.com/api/'),
        transport: { type: 'http', signingSecret: 'secret' },
        postsPerMinute: 60,
      },
      orderService: { url: new URL('https://orders.example/v1/'), cancelRoute: 'current' },
      storage: { type: 'sqlite', path: 'data/countermand.db' },
      secretKeys: undefined,
      eventsSignatureHeaders: ['x-sibi-signature-256'],
      log: { level: 'info', pretty: true },
    });
    expect(readConfig(GOOD, false).log.pretty).toBe(false);
  });

  test('reads what is set', () => {
    const config = readConfig(
      {
        ...GOOD,
        PORT: '8080',
        STORAGE_URL: 'sqlite:/var/lib/bot.db',
        SECRET_KEYS: `new:${key}, old:${key}`,
        EVENTS_SIGNATURE_HEADERS: 'X-One, X-Two',
        LOG_FORMAT: 'pretty',
        RETENTION_DAYS: '3650',
        LOG_LEVEL: 'debug',
        DRAIN_SECONDS: '30',
        AUDIT_FILE: '-',
        ORDER_SERVICE_CANCEL_ROUTE: 'deprecated',
        SLACK_POSTS_PER_MINUTE: '20',
        METRICS_PORT: '9464',
        METRICS_HOST: '::1',
        METRICS_PER_WORKSPACE: '1',
      },
      false,
    );
    expect(config).toMatchObject({
      port: 8080,
      retentionMs: 3_650 * 86_400_000,
      storage: { path: '/var/lib/bot.db' },
      eventsSignatureHeaders: ['x-one', 'x-two'],
      log: { level: 'debug', pretty: true },
      drainMs: 30_000,
      auditFile: '-',
      orderService: { cancelRoute: 'deprecated' },
      slack: { postsPerMinute: 20 },
      metrics: { port: 9464, host: '::1', perWorkspace: true },
    });
    expect(config.secretKeys?.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(readConfig({ ...GOOD, LOG_FORMAT: 'json' }, true).log.pretty).toBe(false);
    expect(readConfig({ ...GOOD, METRICS_PORT: '9464' }, true).metrics?.perWorkspace).toBe(false);
  });

  test.each([
    [
      'redis+sentinel://one.example/desk',
      { url: 'redis://master', sentinels: { urls: ['redis://one.example:26379'], master: 'desk' } },
    ],
    [
      'rediss+sentinel://bot:p%40ss@one.example:7,[::1],10.0.0.3:26380/desk-1.a_b/2?prefix=x:y&sentinelUsername=s&sentinelPassword=t%2Fu',
      {
        url: 'rediss://bot:p%40ss@master/2',
        prefix: 'x:y',
        sentinels: {
          urls: [
            'rediss://s:t%2Fu@one.example:7',
            'rediss://s:t%2Fu@[::1]:26379',
            'rediss://s:t%2Fu@10.0.0.3:26380',
          ],
          master: 'desk-1.a_b',
        },
      },
    ],
  ])('reads the sentinels of %s', (text, address) => {
    const { storage } = readConfig({ ...GOOD, STORAGE_URL: text, SECRET_KEYS: `a:${key}` }, false);
    expect(storage).toEqual({ type: 'redis', prefix: 'countermand', ...address });
  });

  test('goes over Socket Mode where there is an app-level token, with a signing secret or without one', () => {
    const transport = { type: 'socket', appToken: 'xapp-1' };
    for (const secret of ['secret', undefined]) {
      const variables = { ...GOOD, SLACK_SIGNING_SECRET: secret, SLACK_APP_TOKEN: 'xapp-1' };
      expect(readConfig(variables, false).slack.transport).toEqual(transport);
    }
    expect(problems({ SLACK_SIGNING_SECRET: undefined })).toEqual([
      expect.stringMatching(/^SLACK_SIGNING_SECRET is missing\. .* set SLACK_APP_TOKEN instead\.$/),
    ]);
  });

  test('says how the bot is installed: by the token of one workspace, or by OAuth wherever somebody adds it', () => {
    const { SLACK_BOT_TOKEN: _one, ...without } = GOOD;
    const oauth = { SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'cs', SLACK_STATE_SECRET: 's'.repeat(32) };
    expect(readConfig({ ...without, ...oauth }, false).slack.installing).toEqual({
      type: 'oauth',
      clientId: '1.2',
      clientSecret: 'cs',
      stateSecret: 's'.repeat(32),
    });
    expect(problems(oauth)).toEqual([expect.stringContaining('Set only the one or only the others')]);
    const half = { SLACK_BOT_TOKEN: undefined, SLACK_CLIENT_ID: '1.2' };
    expect(problems(half)).toEqual([expect.stringContaining('belong together')]);
    const weak = { ...oauth, SLACK_BOT_TOKEN: undefined, SLACK_STATE_SECRET: 'short' };
    expect(problems(weak)).toEqual([expect.stringContaining('32 random characters')]);
  });

  test('tells every mistake at once, a sentence each', () => {
    expect(() => readConfig({}, false)).toThrow(ConfigError);
    const all = problems({
      PUBLIC_URL: ' ',
      SLACK_SIGNING_SECRET: '',
      SLACK_BOT_TOKEN: undefined,
      PORT: 'x',
    });
    expect(all).toHaveLength(4);
    for (const sentence of all) expect(sentence).toMatch(/^[A-Z_]+ (is missing|must be).*\.$/);
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['RETENTION_DAYS', '0'],
    ['RETENTION_DAYS', '3651'],
    ['RETENTION_DAYS', '1.5'],
    ['RETENTION_DAYS', 'forever'],
    ['PUBLIC_URL', 'http://bot.example'],
    ['PUBLIC_URL', 'https://bot.example/?a=1'],
    ['PUBLIC_URL', 'https://bot.example/#a'],
    ['ORDER_SERVICE_URL', 'http://orders.example'],
    ['ORDER_SERVICE_URL', 'http://127.0.0.1.evil.example'],
    ['ORDER_SERVICE_URL', 'https://user:password@orders.example'],
    ['ORDER_SERVICE_URL', 'https://:password@orders.example'],
    ['ORDER_SERVICE_URL', 'orders.example'],
    ['ORDER_SERVICE_CANCEL_ROUTE', 'old'],
    ['SLACK_BOT_TOKEN', 'xoxp-1'],
    ['SLACK_BOT_TOKEN', 'xoxb-'],
    ['SLACK_BOT_TOKEN', 'xoxb-1…'],
    ['SLACK_BOT_TOKEN', 'xoxb-1\nxoxb-2'],
    ['SLACK_APP_TOKEN', 'xoxb-1'],
    ['SLACK_APP_TOKEN', 'xapp-1…'],
    ['SLACK_APP_TOKEN', 'xapp-1 2'],
    ['SLACK_API_URL', 'http://slack.example/api'],
    ['SLACK_POSTS_PER_MINUTE', '0'],
    ['DRAIN_SECONDS', '61'],
    ['DRAIN_SECONDS', '1s'],
    ['SLACK_POSTS_PER_MINUTE', '1.5'],
    ['STORAGE_URL', 'mysql://x'],
    ['STORAGE_URL', 'sqlite:'],
    ['STORAGE_URL', 'redis+sentinel://:password@sentinel.example'],
    ['STORAGE_URL', 'redis+sentinel://sentinel.example/'],
    ['STORAGE_URL', 'redis+sentinel://one.example,/desk'],
    ['STORAGE_URL', 'redis+sentinel://one.example:99999/desk'],
    ['STORAGE_URL', 'redis+sentinel://one.example/desk/zero'],
    ['STORAGE_URL', 'redis+sentinel://one.example/desk?sentinels=3'],
    ['STORAGE_URL', 'redis://redis.example?sentinelPassword=password'],
    ['STORAGE_URL', 'redis://user:100%password@redis.example'],
    ['STORAGE_URL', 'redis://user:%ffpassword@redis.example'],
    ['SECRET_KEYS', 'no-key'],
    ['SECRET_KEYS', 'short:AAAA'],
    ['SECRET_KEYS', `a:${key},a:${key}`],
    ['SECRET_KEYS', `a:${key}b:${key}`],
    ['SECRET_KEYS', `a:${key}\n${key}`],
    ['SECRET_KEYS', `a:!${key}`],
    ['SECRET_KEYS', `a:${key.slice(0, -2)}`],
    ['EVENTS_SIGNATURE_HEADERS', 'a b'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
  ])('refuses %s=%s, and shows no value', (name, value) => {
    const [sentence, ...more] = problems({ SECRET_KEYS: `a:${key}`, [name]: value });
    expect(more).toEqual([]);
    expect(sentence).toMatch(new RegExp(`^${name} must be `));
    expect(sentence).not.toContain('password');
    expect(sentence).not.toContain(key);
  });

  test.each(['http://localhost:1', 'http://127.0.0.1:1/x', 'http://[::1]:1'])(
    'takes %s, which is loopback',
    (url) => {
      expect(problems({ ORDER_SERVICE_URL: url, PUBLIC_URL: url, SLACK_API_URL: url })).toEqual([]);
    },
  );
});

test.each([
  ['a comma', ','],
  ['a comma and a space', ', '],
  ['a line break', '\n'],
  ['a comma and a line break', ',\r\n'],
])('keys are told apart by %s', (_name, between) => {
  const keys = parseKeyFile({ path: 'test', text: `new:${key}${between}old:${key}\n` });
  expect(keys.map(({ id }) => id)).toEqual(['new', 'old']);
});

test.each(['redis://one.example', 'rediss://one.example', 'redis+sentinel://one.example/desk'])(
  'the keys of what is stored at %s are not left to a key file',
  (url) => {
    expect(problems({ STORAGE_URL: url })).toEqual([expect.stringMatching(/^SECRET_KEYS is missing\./)]);
  },
);

test.each(['base64', 'base64url'] as const)('a key may be in %s, with its = or without', (encoding) => {
  const bytes = randomBytes(32);
  const written = bytes.toString(encoding).replace(/=$/, '');
  for (const text of [written, `${written}=`])
    expect(parseKeyFile({ path: 'test', text: `a:${text}` })[0].key.export()).toEqual(bytes);
});

test.each([
  ['redis://user:pass%40word@one.example:6379/1', ['pass%40word', 'pass@word']],
  ['redis://user:100%sure@one.example', ['100%sure']],
  ['redis+sentinel://user:first@one.example:26379,two.example:26379/desk', ['first']],
  [
    'redis+sentinel://one.example:1,two.example:2/desk?sentinelUsername=u&sentinelPassword=se%20cond',
    ['se cond'],
  ],
  ['rediss://:a@b:c@one.example', ['a@b:c', 'a%40b%3Ac']],
])('the passwords in %s are known, so that nothing shows them', (text, passwords) => {
  expect(secretsIn({ STORAGE_URL: text })).toEqual(expect.arrayContaining(passwords));
});

test('the user in the address of Redis is no secret', () => {
  const url = 'redis://countermand@one.example:6379';
  expect(secretsIn({ STORAGE_URL: url })).toEqual([url]);
});

test.each(['redis', 'sqlite', 'sqlite:word'])(
  'a secret that reads like an address is masked as a secret: %s',
  (secret) => {
    expect(secretsIn({ STORAGE_URL: `redis://user:${secret}@one.example` })).toContain(secret);
    expect(secretsIn({ SLACK_CLIENT_SECRET: secret })).toEqual([secret]);
  },
);

test('what only begins like the address of a database is masked', () => {
  expect(secretsIn({ STORAGE_URL: 'sqlite-word' })).toEqual(['sqlite-word']);
});

test.each(['sqlite', 'sqlite:', 'sqlite:data/bot.db', 'redis', 'redis://', 'rediss+sentinel://'])(
  'the address %s holds no secret: what is said of it stays readable',
  (url) => {
    expect(secretsIn({ STORAGE_URL: url })).toEqual([]);
  },
);

test('the metrics need a port of their own, or another address of the machine', () => {
  const problems = (given: Record<string, string>) => {
    try {
      readConfig({ ...GOOD, PORT: '3200', METRICS_PORT: '3200', ...given }, false);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  const same =
    'PORT and METRICS_PORT are the same. The bot listens at both: set one of them to another port.';
  for (const given of [
    {},
    { METRICS_HOST: '0.0.0.0' },
    { HOST: '127.0.0.1' },
    { HOST: '::', METRICS_HOST: '::1' },
  ])
    expect(problems(given)).toEqual([same]);
  expect(problems({ PORT: '3000', METRICS_PORT: '3000' })).toEqual([same]);
  expect(problems({ PORT: '', METRICS_PORT: '3000' })).toEqual([same]);
  expect(problems({ LOG_LEVEL: 'loud' })).toEqual([expect.stringMatching(/^LOG_LEVEL/), same]);
  for (const given of [
    { HOST: '127.0.0.2' },
    { METRICS_HOST: '::1' },
    { METRICS_HOST: 'localhost' },
    { HOST: '::1', METRICS_HOST: '0.0.0.0' },
    { METRICS_PORT: '3201' },
    { PORT: '0', METRICS_PORT: '0' },
  ])
    expect(problems(given)).toEqual([]);
});

test('each secret is listed once, also one from a file beside a blank variable; blanks and short texts are no secrets', () => {
  const path = join(temporaryFolder(), 'secret');
  writeFileSync(path, 'xoxb-filed');
  const variables = {
    SLACK_BOT_TOKEN: ' ',
    SLACK_BOT_TOKEN_FILE: path,
    SLACK_SIGNING_SECRET: 'same-secret',
    SLACK_CLIENT_SECRET: 'same-secret',
    SLACK_STATE_SECRET: 'a',
    SECRET_KEYS: '  ',
  };
  expect(secretsIn(variables)).toEqual(['same-secret', 'xoxb-filed']);
});

test('a value counts without the line break at its end, which a secret of a container platform may have', () => {
  const given = {
    ...GOOD,
    SLACK_SIGNING_SECRET: 'signing\n',
    STORAGE_URL: 'sqlite:bot.db\r\n',
    PORT: '80\n',
  };
  expect(readConfig(given, false)).toMatchObject({
    port: 80,
    slack: { transport: { signingSecret: 'signing' } },
    storage: { path: 'bot.db' },
  });
});

describe('the file .env', () => {
  /** Makes an empty folder the working directory until the end of the test. */
  function enterFolder(): void {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(temporaryFolder());
  }

  test('that cannot be read is said to be there', () => {
    enterFolder();
    mkdirSync('.env');
    expect(() => environment()).toThrow('The file .env in this folder cannot be read.');
  });

  test('holds what the environment leaves blank, and not what is set there', () => {
    enterFolder();
    writeFileSync('.env', 'SLACK_CLIENT_ID=of-the-file\nHOST=of-the-file\n');
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('SLACK_CLIENT_ID', ' ');
    vi.stubEnv('HOST', 'set');
    expect(environment()).toMatchObject({ SLACK_CLIENT_ID: 'of-the-file', HOST: 'set' });
  });

  test('is read as a Windows editor saves it, with a byte-order mark', () => {
    enterFolder();
    writeFileSync('.env', '\uFEFFSLACK_CLIENT_ID=first\r\nSLACK_CLIENT_SECRET=second\r\n');
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET']) vi.stubEnv(name, ' ');
    expect(environment()).toMatchObject({ SLACK_CLIENT_ID: 'first', SLACK_CLIENT_SECRET: 'second' });
  });
});

describe('a secret in a file', () => {
  function file(content: string): string {
    const path = join(temporaryFolder(), 'secret');
    writeFileSync(path, content);
    return path;
  }

  test('counts like the variable, without the line break at its end', () => {
    const given = {
      ...GOOD,
      SLACK_BOT_TOKEN: undefined,
      SLACK_BOT_TOKEN_FILE: file('xoxb-filed\n'),
      SLACK_SIGNING_SECRET: undefined,
      SLACK_SIGNING_SECRET_FILE: file('signing'),
      STORAGE_URL_FILE: file('redis://:password@127.0.0.1\n'),
      SECRET_KEYS_FILE: file(`a:${key}\n`),
    };
    expect(readConfig(given, false)).toMatchObject({
      slack: {
        installing: { botToken: 'xoxb-filed' },
        transport: { signingSecret: 'signing' },
      },
      storage: { type: 'redis', url: 'redis://:password@127.0.0.1' },
      secretKeys: [{ id: 'a' }],
    });
    for (const variable of ['SLACK_APP_TOKEN', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'])
      expect(problems({ [`${variable}_FILE`]: '/none' })).toContainEqual(
        expect.stringContaining(`${variable}_FILE must name a readable file`),
      );
  });

  test('is refused beside the variable, and where it is empty or away; no content is shown', () => {
    expect(problems({ SLACK_BOT_TOKEN_FILE: file('xoxb-filed') })).toEqual([
      'SLACK_BOT_TOKEN and SLACK_BOT_TOKEN_FILE are both set. Remove one of them.',
    ]);
    expect(problems({ SECRET_KEYS_FILE: file(' \n') })).toEqual([
      'SECRET_KEYS_FILE must name a file with the secret, and that file is empty.',
    ]);
    expect(problems({ SECRET_KEYS_FILE: '/none/secret' })).toEqual([
      "SECRET_KEYS_FILE must name a readable file, and that file can't be read (ENOENT).",
    ]);
    const wrong = problems({ SECRET_KEYS_FILE: file('a:hidden-4711') });
    expect(wrong).toEqual([expect.stringMatching(/^SECRET_KEYS must be a list/)]);
  });

  test('is not called missing as well where its file cannot be used', () => {
    for (const variable of ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'])
      expect(problems({ [variable]: undefined, [`${variable}_FILE`]: '/none' })).toEqual([
        expect.stringMatching(`^${variable}_FILE must name a readable file`),
      ]);
    expect(problems({ STORAGE_URL: 'redis://127.0.0.1', SECRET_KEYS_FILE: '/none' })).toEqual([
      expect.stringMatching(/^SECRET_KEYS_FILE must name a readable file/),
    ]);
  });

  test.each([
    ['a key', 'a:hidden-4711'],
    ['what could be a path', '/hidden-4711'],
    ['what is too long for a path', 'hidden-4711/'.repeat(500)],
  ])('that stands in the variable itself is not shown: %s', (_name, secret) => {
    const [sentence = '', ...more] = problems({ SECRET_KEYS_FILE: secret });
    expect(more).toEqual([]);
    expect(sentence).toMatch(/^SECRET_KEYS_FILE must name a readable file/);
    expect(sentence).not.toContain('hidden-4711');
  });
});
