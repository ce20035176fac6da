import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCipher, type SealContext, SealError, type SecretKey } from '../../src/workspaces/cipher.ts';

const key = (id: string): SecretKey => ({ id, key: createSecretKey(randomBytes(32)) });
const of = (workspace: string): SealContext => ({ workspace, purpose: 'api token' });
const [first, second] = [key('first'), key('second')];

describe('a sealed secret', () => {
  const cipher = createCipher([first]);

  test('opens again for its workspace, and shows nothing of itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), (secret, workspace) => {
        const sealed = cipher.seal(of(workspace), secret);
        expect(cipher.open(of(workspace), sealed)).toBe(secret);
        expect(sealed).not.toContain(secret);
      }),
    );
  });

  test('is another text each time it is sealed', () => {
    expect(cipher.seal(of('T1'), 'secret')).not.toBe(cipher.seal(of('T1'), 'secret'));
  });

  test('does not open for another workspace, also once it was opened for its own', () => {
    const sealed = cipher.seal(of('T1'), 'secret');
    expect(() => cipher.open(of('T2'), sealed)).toThrow(SealError);
    expect(cipher.open(of('T1'), sealed)).toBe('secret');
    expect(() => cipher.open(of('T2'), sealed)).toThrow(SealError);
  });

  test('does not open for another purpose: a Slack token never goes to the order service', () => {
    const sealed = cipher.seal({ workspace: 'T1', purpose: 'Slack tokens' }, 'secret');
    expect(cipher.open({ workspace: 'T1', purpose: 'Slack tokens' }, sealed)).toBe('secret');
    expect(() => cipher.open({ workspace: 'T1', purpose: 'api token' }, sealed)).toThrow(SealError);
    expect(() => cipher.open({ workspace: 'T1', purpose: 'events secret' }, sealed)).toThrow(SealError);
  });

  test('does not open when any part of it was changed', () => {
    const sealed = cipher.seal(of('T1'), 'secret');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'AZaz09._-'), (at, character) => {
        const changed = sealed.slice(0, at) + character + sealed.slice(at + 1);
        // The last character of base64url holds bits that mean nothing; the same bytes are the same secret.
        fc.pre(Buffer.compare(...(bytes(changed, sealed) as [Buffer, Buffer])) !== 0);
        expect(() => cipher.open(of('T1'), changed)).toThrow(SealError);
      }),
    );
  });

  test('opens with any key of the list, by the id of the one that sealed it', () => {
    const old = createCipher([second]).seal(of('T1'), 'secret');
    expect(createCipher([first, second]).open(of('T1'), old)).toBe('secret');
    expect(createCipher([first, second]).seal(of('T1'), 'x')).toContain('.first.');
    expect(() => cipher.open(of('T1'), old)).toThrow('second');
  });

  test('is never taken for one of another key whose id begins like its own', () => {
    const [short, long] = [key('k1'), key('k10')];
    const [byShort, byLong] = [createCipher([short]), createCipher([long])];
    const sealed = byLong.seal(of('T1'), 'secret');
    expect([byLong.isCurrent(sealed), byShort.isCurrent(sealed)]).toEqual([true, false]);
    expect(byLong.isCurrent(byShort.seal(of('T1'), 'secret'))).toBe(false);
    expect(() => byShort.open(of('T1'), sealed)).toThrow('k10');
    expect(createCipher([short, long]).open(of('T1'), sealed)).toBe('secret');
    expect(createCipher([long, short]).open(of('T1'), byShort.seal(of('T1'), 'x'))).toBe('x');
  });

  test('says nothing of itself in its errors', () => {
    for (const sealed of ['', 'v1', 'secret-text', 'v1.first.AAAA.secret-text']) {
      expect(() => cipher.open(of('T1'), sealed)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret-text') }),
      );
    }
  });
});

const bytes = (...sealed: string[]) =>
  sealed.map((text) => {
    const [format = '', id = '', nonce = '', body = '', ...more] = text.split('.');
    const decoded = [Buffer.from(nonce, 'base64url'), Buffer.from(body, 'base64url')];
    return Buffer.concat([Buffer.from(JSON.stringify([format, id, more])), ...decoded]);
  });
