import { describe, expect, test } from 'vitest';
import { AuditEntry } from '../../../src/requests/model/audit-entry.ts';
import type { AuditStore } from '../../../src/requests/ports/ports.ts';
import { createRecordAct } from '../../../src/requests/store/audit-trail.ts';
import { createSqliteRecordStore } from '../../../src/storage/sqlite/record-store.ts';
import { databaseInMemory } from '../../support/storage/empty-database.ts';

const EXPORTED = { workspace: 'T1', by: ['terminal'], act: 'exported' } as const;
const FAILS = () => Promise.reject(new Error('The disk is full.'));

function setUp(broken: Partial<AuditStore> = {}) {
  const store: AuditStore = createSqliteRecordStore(databaseInMemory(), 'audit_entries', AuditEntry);
  const errors: string[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (_: object, line: string) => void errors.push(line),
  };
  const auditEntries = { ...store, ...broken };
  const trail = async () => (await store.list('T1', { limit: 10 })).map(({ act, result }) => [act, result]);
  return { recordAct: createRecordAct({ auditEntries, uuid: () => 'id', log }), trail, errors };
}

describe('an act without a record', () => {
  test('is in the trail before it begins, and its result after it', async () => {
    const { recordAct, trail } = setUp();
    let meanwhile: unknown;
    const work = async () => {
      meanwhile = await trail();
      return 7;
    };
    expect(await recordAct(EXPORTED, work, (done) => `${done} lines`)).toBe(7);
    expect(meanwhile).toEqual([['exported', undefined]]);
    expect(await trail()).toEqual([['exported', '7 lines']]);
  });

  test('that fails is told as failed, and fails', async () => {
    const { recordAct, trail } = setUp();
    await expect(recordAct(EXPORTED, FAILS, String)).rejects.toThrow('The disk is full.');
    expect(await trail()).toEqual([['exported', 'failed']]);
  });

  test('that had nothing to do leaves no entry', async () => {
    const { recordAct, trail } = setUp();
    await recordAct(
      EXPORTED,
      async () => 0,
      () => undefined,
    );
    expect(await trail()).toEqual([]);
  });

  test('does not begin where its entry cannot be written', async () => {
    const { recordAct } = setUp({ create: FAILS });
    let isBegun = false;
    const work = async () => {
      isBegun = true;
    };
    await expect(recordAct(EXPORTED, work, String)).rejects.toThrow('The disk is full.');
    expect(isBegun).toBe(false);
  });

  test('is done though its result cannot be written, and the log says so', async () => {
    const { recordAct, trail, errors } = setUp({ update: FAILS });
    expect(await recordAct(EXPORTED, async () => 7, String)).toBe(7);
    expect([await trail(), errors]).toEqual([[['exported', undefined]], ['result of an act not recorded']]);
  });
});
