/** The file of the audit stream, and standard output. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/requests/model/audit-entry.ts';
import { createLineOutput } from '../../src/standard-output.ts';
import { createAuditStream } from '../../src/storage/audit-stream.ts';
import { temporaryFolder } from '../support/storage/stores.ts';

const entry = (id: string): AuditEntry => ({
  workspace: 'T1',
  id,
  version: 7,
  at: 1_000,
  by: ['U1'],
  act: 'paused',
  claim: { effect: 'stream', owner: 'bot', startedAt: 1, expiresAt: 2 },
});

const idsIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);

function file() {
  const path = join(temporaryFolder(), 'audit.jsonl');
  return { path, stream: createAuditStream(path), read: () => readFileSync(path, 'utf8') };
}

test('a line that standard output cannot keep counts as not written', async () => {
  const full = { flush: () => undefined, write: () => false, end() {} };
  await expect(createAuditStream('-', full).write(entry('a'))).rejects.toThrow(/^Too much waits/);
});

describe('the file of the audit stream', () => {
  test('has a line for each entry, with its workspace, its id and its time, and is read by its owner alone', async () => {
    const { stream, read, path } = file();
    await stream.write(entry('a'));
    expect(read()).toBe(
      '{"type":"audit_entry","workspace":"T1","id":"a","at":"1970-01-01T00:00:01.000Z","by":["U1"],"act":"paused"}\n',
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('may be a device, which has no disk to wait for', async () => {
    await createAuditStream('/dev/null').write(entry('a'));
  });

  test('must not be a pipe, whose writer does not learn that nobody has read it', async () => {
    const { stream, path } = file();
    execFileSync('mkfifo', [path]);
    await expect(stream.write(entry('a'))).rejects.toThrow(
      /^AUDIT_FILE must name a file, and .+ is a pipe\. For standard output, set it to -\.$/,
    );
  });

  test('has all entries that were written at the same time, in their order', async () => {
    const { stream, read } = file();
    const ids = Array.from({ length: 50 }, (_, n) => `${n}`);
    await Promise.all(ids.map((id) => stream.write(entry(id))));
    expect(idsIn(read())).toEqual(ids);
  });

  test('begins a new line after one that was cut short', async () => {
    const { stream, path, read } = file();
    appendFileSync(path, '{"type":"aud');
    await stream.write(entry('a'));
    expect(read()).toMatch(/^\{"type":"aud\n\{.*\}\n$/);
  });

  test('is begun anew after it was moved away', async () => {
    const { stream, path, read } = file();
    await stream.write(entry('a'));
    renameSync(path, `${path}.1`);
    await stream.write(entry('b'));
    expect(idsIn(read())).toEqual(['b']);
  });

  test('that cannot be written fails the write, and takes the next one once it can', async () => {
    const { stream, path, read } = file();
    mkdirSync(path);
    await expect(stream.write(entry('a'))).rejects.toThrow('EISDIR');
    rmdirSync(path);
    await stream.write(entry('b'));
    expect(idsIn(read())).toEqual(['b']);
  });
});

test.skipIf(process.platform !== 'linux')('a full disk fails the write of an entry', async () => {
  await expect(createAuditStream('/dev/full').write(entry('a'))).rejects.toThrow('ENOSPC');
});

describe('the audit stream, if AUDIT_FILE is "-",', () => {
  /** Takes bytes as long as `taking` does not throw. */
  function standardOutput(taking: () => void = () => {}) {
    let text = '';
    const output = createLineOutput((bytes) => {
      taking();
      text += bytes;
      return bytes.length;
    });
    return { output, stream: createAuditStream('-', output), text: () => text };
  }
  const failing = (code: string) => Object.assign(new Error(code), { code });

  test('goes to standard output', async () => {
    const { stream, text } = standardOutput();
    await stream.write(entry('a'));
    expect(idsIn(text())).toEqual(['a']);
  });

  test('fails the write of an entry that standard output does not take, and does not end the bot', async () => {
    const { stream } = standardOutput(() => {
      throw failing('ENOSPC');
    });
    await expect(stream.write(entry('a'))).rejects.toThrow('ENOSPC');
    await expect(stream.write(entry('b'))).rejects.toThrow('ENOSPC');
  });

  test('waits for a slow reader, and never writes into a line of the log that waits', async () => {
    let refusals = 2;
    const { output, stream, text } = standardOutput(() => {
      if (refusals-- > 0) throw failing('EAGAIN');
    });
    output.write('{"id":"log"}\n');
    await stream.write(entry('a'));
    expect(idsIn(text())).toEqual(['log', 'a']);
  });
});
