import { describe, expect, test } from 'vitest';
import type { Revocation, TokenCheck } from '../../../src/requests/ports/ports.ts';
import { disconnectedText, formerTokenText } from '../../../src/slack/messages/sentences/connection-texts.ts';
import { type FormerRevocation, reportRevocation } from '../../../src/workspaces/connection/revoke-token.ts';
import { connected, createConnectionsHarness } from '../../support/requests/connections-harness.ts';

/** A workspace that is connected, and an admin who connects it again and wants the former token revoked. */
async function setUp({ check, answer }: { check?: TokenCheck; answer?: Revocation } = {}) {
  const harness = createConnectionsHarness();
  await connected(harness.deps);
  const revoked: string[] = [];
  const revoke = async (token: string): Promise<Revocation> => {
    revoked.push(token);
    return answer ?? { type: 'revoked' };
  };
  const deps = { ...harness.deps, revoke, ...(check ? { checkToken: async () => check } : {}) };
  const again = (token: string, revokeFormer = true) => connected(deps, { token, revokeFormer });
  return { ...harness, deps, revoked, again };
}

describe('the former token of a workspace that is connected with a new one', () => {
  test('is revoked where that is wanted, and the new one is in force', async () => {
    const { again, revoked, connections, trail } = await setUp();
    expect(await again('token-4712')).toMatchObject({ former: { type: 'revoked' } });
    expect(revoked).toEqual(['token-4711']);
    expect((await trail()).filter(({ act }) => act === 'revoked_token')).toMatchObject([
      { by: ['U1'], result: 'revoked' },
    ]);
    const row = await connections.find('T1');
    expect(row && (await connections.token(row))).toBe('token-4712');
  });

  test('is revoked though a process died at it before the clock was set back', async () => {
    const { again, connections, clock, revoked } = await setUp();
    clock.now += 24 * 3_600_000;
    expect(await connections.claim('token-4711', () => true)).toHaveProperty('release');
    clock.now -= 23 * 3_600_000;
    expect(await again('token-4712')).toMatchObject({ former: { type: 'revoked' } });
    expect(revoked).toEqual(['token-4711']);
  });

  test('takes so long that the process ends before anybody sees the new secret: the next connect gives another', async () => {
    const { deps } = await setUp();
    let begun = () => {};
    const revoking = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const revoke = () => {
      begun();
      return new Promise<never>(() => {});
    };
    const next = { token: 'token-4712', newSecret: true };
    void connected({ ...deps, revoke }, { ...next, revokeFormer: true });
    await revoking;
    expect(await connected(deps, { ...next, newSecret: false })).toMatchObject({
      secret: expect.any(String),
    });
    expect(await connected(deps, { ...next, newSecret: false })).toMatchObject({ secret: undefined });
  });

  test('is left alone where it is not', async () => {
    const { again, revoked } = await setUp();
    expect(await again('token-4712', false)).not.toHaveProperty('former');
    expect(revoked).toEqual([]);
  });

  test('is not revoked where it is the new one as well', async () => {
    const { again, revoked } = await setUp();
    expect(await again('token-4711')).toMatchObject({ former: { type: 'same' } });
    expect(revoked).toEqual([]);
  });

  test('is named to the admin where a try has stored the new one before, and failed', async () => {
    const { again, revoked, failOver } = await setUp();
    const end = failOver();
    await expect(again('token-4712')).rejects.toThrow();
    end();
    const { former = { type: 'none' } } = await again('token-4712');
    expect(revoked).toEqual([]);
    expect(formerTokenText(former)).toContain('revoke the token before it in the developer portal');
  });

  test('is not revoked where another workspace holds it', async () => {
    const { deps, again, revoked, trail } = await setUp();
    await connected(deps, { workspace: 'T2' });
    expect(await again('token-4712')).toMatchObject({ former: { type: 'shared' } });
    expect(revoked).toEqual([]);
    expect((await trail()).map(({ act }) => act)).toEqual(['connected', 'connected']);
  });

  test('is not revoked where another admin has connected the workspace with it again meanwhile', async () => {
    const { deps, revoked, connections } = await setUp();
    const claim: typeof connections.claim = async (...given) => {
      await connected(deps, { token: 'token-4711', by: 'U2' });
      return connections.claim(...given);
    };
    const mine = { ...deps, connections: { ...connections, claim } };
    const done = await connected(mine, { token: 'token-4712', revokeFormer: true });
    expect(done).toMatchObject({ former: { type: 'shared' } });
    expect(revoked).toEqual([]);
    const row = await connections.find('T1');
    expect(row && (await connections.token(row))).toBe('token-4711');
  });

  test.each<TokenCheck>([
    { type: 'unverified', code: 'HTTP_500' },
    { type: 'limited', code: 'FORBIDDEN' },
  ])('is not revoked where the new one may not work ($type)', async (check) => {
    const { again, revoked } = await setUp({ check });
    expect(await again('token-4712')).toMatchObject({ former: { type: 'in_doubt' } });
    expect(revoked).toEqual([]);
  });

  test('does not exist if the workspace was not connected', async () => {
    const { deps, revoked } = await setUp();
    expect(await connected(deps, { workspace: 'T2', revokeFormer: true })).toMatchObject({
      former: { type: 'none' },
    });
    expect(revoked).toEqual([]);
  });

  test('is the one that a faster admin has just connected', async () => {
    const { deps, connections, revoked } = await setUp();
    const { save } = connections;
    let isFirst = true;
    const overtaken: typeof save = async (mine, before) => {
      if (isFirst) {
        isFirst = false;
        await connected(deps, { token: 'token-of-theirs' });
      }
      return save(mine, before);
    };
    const mine = { ...deps, connections: { ...connections, save: overtaken } };
    const done = await connected(mine, { token: 'token-4712', revokeFormer: true });
    expect(done).toMatchObject({ former: { type: 'revoked' } });
    expect(revoked).toEqual(['token-of-theirs']);
  });

  test('that cannot be opened any more keeps nobody from the new one', async () => {
    const { connections, values, again, revoked } = await setUp();
    const row = await connections.find('T1');
    await values.set(row?.token?.generation ?? '', 'unreadable');
    expect((await again('token-4712')).former).toMatchObject({ type: 'not_sent' });
    expect(revoked).toEqual([]);
  });

  test('is not revoked while it cannot be read who holds it', async () => {
    const { deps, connections, revoked } = await setUp();
    const claim = () => Promise.reject(new Error('storage away'));
    const done = await connected(
      { ...deps, connections: { ...connections, claim } },
      { token: 'token-4712', revokeFormer: true },
    );
    expect(done.former).toMatchObject({ type: 'not_sent' });
    expect(revoked).toEqual([]);
  });

  test('may have been revoked where the revocation itself has failed', async () => {
    const { deps } = await setUp();
    const revoke = () => Promise.reject(new Error('half sent'));
    const done = await connected({ ...deps, revoke }, { token: 'token-4712', revokeFormer: true });
    expect(done.former).toMatchObject({ type: 'unknown', code: 'FAULT' });
  });
});

describe('what is said of it', () => {
  const error = new Error('x');
  test.each<[FormerRevocation, string]>([
    [{ type: 'revoked' }, 'was revoked at the order service'],
    [{ type: 'dead' }, 'revoked before'],
    [{ type: 'same' }, 'is the same as the new one'],
    [{ type: 'shared' }, 'another connection uses it'],
    [{ type: 'none' }, 'no former token'],
    [{ type: 'in_doubt' }, 'not certain that the new one works'],
    [{ type: 'unreachable', error }, 'developer portal'],
    [{ type: 'not_sent', error }, 'before it called the order service'],
    [{ type: 'unknown', code: 'TIMEOUT', error }, "don't know whether the former token was revoked"],
    [{ type: 'unknown', code: '<!channel>', error }, 'Code: &lt;!channel&gt;.'],
  ])('%o', (former, text) => {
    expect(formerTokenText(former, 'REF')).toContain(text);
  });

  test('blames no order service for a fault of Countermand, also where the workspace stays connected', () => {
    const revocation = { type: 'not_sent', error } as const;
    const text = disconnectedText({ type: 'not_revoked', revocation }, 'slack', 'REF');
    expect(text).toMatch(/wrong in Countermand before it called .* still connected,.* Reference: REF\./);
  });

  test.each([
    [{ type: 'unknown', code: 'TIMEOUT', error }, 'error'],
    [{ type: 'not_sent', error }, 'error'],
    [{ type: 'unreachable', error }, 'warn'],
  ] as const)('%o is logged with its error, and has a reference if it is a fault', (revocation, level) => {
    const logged: unknown[] = [];
    const to = (name: string) => (fields: object) => void logged.push([name, fields]);
    const log = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
    const reference = reportRevocation(log, 'T1', revocation);
    expect(logged).toEqual([[level, expect.objectContaining({ workspace: 'T1', err: error })]]);
    expect(reference !== undefined).toBe(level === 'error');
  });

  test('has the reference of a fault', () => {
    for (const former of [
      { type: 'unknown', code: 'TIMEOUT', error } as const,
      { type: 'not_sent', error } as const,
    ])
      expect(formerTokenText(former, 'REF')).toContain('Reference: REF.');
  });
});
