/** Checks the storage as the bot uses it, the queue between replicas, the keys, pauses, and the file of the audit stream. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Adapters, mustBeCreatable } from '../../compose/adapters.ts';
import type { Config } from '../../config.ts';
import { asError } from '../../fault.ts';
import { SILENT } from '../../outbox/ports.ts';
import { byId, listWorkspaces, NO_WORKSPACE } from '../../outbox/record-store.ts';
import { nothingMade } from '../../requests/model/recent.ts';
import { countUnopened } from '../../workspaces/cipher.ts';
import { messageOf, redisRemedy } from '../command.ts';
import { clockFinding, type Finding, ok, problem, warning } from './finding.ts';

const WHAT = 'storage';

export async function noDatabase(path: string): Promise<Finding> {
  try {
    await mustBeCreatable(path);
  } catch (error) {
    return problem(WHAT, asError(error).message);
  }
  return warning(
    WHAT,
    `There is no database at ${path} yet. The first start of the bot creates it. If the bot has run before, check STORAGE_URL and the folder.`,
  );
}

/** Opens the storage, and checks writes, reads and compare-and-set. @returns whether it can be used, with the findings */
export async function checkStorage({
  storage,
  outside,
}: Adapters): Promise<{ isUsable: boolean; findings: Finding[] }> {
  const warnings: Finding[] = [];
  const log = { ...SILENT, warn: (_: object, text: string) => void warnings.push(warning(WHAT, text)) };
  try {
    await storage.open(log);
  } catch (error) {
    // Redis may refuse the writes by which a new storage is opened. Any other error is a sentence for the operator already.
    const { message } = asError(error);
    const text = redisRemedy(message) ? noWritesText(message) : message;
    return { isUsable: false, findings: [problem(WHAT, text)] };
  }
  try {
    await storage.ping();
    await compareAndSet(storage, outside.runtime.uuid());
    return { isUsable: true, findings: [ok(WHAT, 'written, read, compared and set'), ...warnings] };
  } catch (error) {
    return { isUsable: false, findings: [problem(WHAT, notUsableText(asError(error))), ...warnings] };
  }
}

/** An error of the SQLite file says what to do about it. */
const notUsableText = (error: Error): string =>
  'errcode' in error ? error.message : noWritesText(error.message);

const noWritesText = (message: string): string =>
  `The storage takes no writes (${message}). ${redisRemedy(message) ?? 'Look at the disk and the rights of its files, or at Redis.'}`;

/** Creates, changes and removes a record that belongs to no workspace. @throws if that does not work as it must */
async function compareAndSet({ recentRequests }: Adapters['storage'], id: string): Promise<void> {
  const record = nothingMade(NO_WORKSPACE, `doctor-${id}`);
  const entry = byId(record);
  const created = await recentRequests.create(entry);
  if (created.type !== 'created') throw new Error(`a new record was ${created.type}`);
  try {
    const updated = await recentRequests.update(entry, created.version);
    const late = await recentRequests.update(entry, created.version);
    if (updated.type !== 'updated' || late.type !== 'conflict')
      throw new Error('a record was written over by somebody who had not read it');
    if (!(await recentRequests.get(record))) throw new Error('a record that was written is not there');
  } finally {
    await recentRequests.remove(record);
  }
}

const QUEUE_MS = 5_000;

export async function checkQueue({ queues, outside }: Adapters): Promise<Finding[]> {
  if (!queues) return [];
  const checked = new AbortController();
  const timeout = outside.runtime
    .sleep(QUEUE_MS, checked.signal)
    .then(() => Promise.reject(new Error('no answer')));
  const help =
    'Compare the rights of the user of STORAGE_URL with deploy/users.acl; "redis-cli --user admin --askpass ACL LOG" shows what was denied.';
  try {
    await Promise.race([queues.check(), timeout]);
    return [ok('queue', 'takes jobs')];
  } catch (error) {
    const { message } = asError(error);
    return [problem('queue', `Redis refuses the queue (${message}). ${redisRemedy(message) ?? help}`)];
  } finally {
    timeout.catch(() => {});
    checked.abort();
  }
}

/** Compares the clock of Redis, by which times are stored and claims end. SQLite has none of its own. */
export async function checkClock({ queues, storage, outside }: Adapters): Promise<Finding[]> {
  if (!queues) return [];
  const { now } = outside.runtime;
  const before = now();
  const atRedis = await storage.requests.now();
  return [clockFinding('Redis', atRedis - (before + now()) / 2, "this machine's")];
}

export async function checkKeys({ sealed }: Adapters): Promise<Finding[]> {
  const unopened = await countUnopened(sealed, new AbortController().signal);
  if (unopened === 0) return [ok('keys', 'open all stored secrets')];
  return [
    problem(
      'keys',
      `Workspaces or organizations with secrets that no key opens: ${unopened}. Put back the key that sealed them (SECRET_KEYS, or the key file), or connect and install these again.`,
    ),
  ];
}

const SENDING = 'sending';

/** Tells where sending is paused: after a restore nobody may remember that the operator has paused it. */
export async function checkPauses({ settings, storage }: Adapters): Promise<Finding[]> {
  const [paused, unreadable]: [string[], Finding[]] = [[], []];
  for await (const workspace of listWorkspaces(storage.settings)) {
    try {
      if ((await settings.read(workspace)).paused) paused.push(workspace);
    } catch (error) {
      const why = messageOf(error);
      unreadable.push(
        problem(SENDING, `Nothing is sent in ${workspace}: its settings cannot be read. ${why}`),
      );
    }
  }
  return [
    ...(paused.length > 0
      ? [
          warning(
            SENDING,
            `Sending is paused in ${paused.join(', ')}. An admin resumes it in /countermand settings.`,
          ),
        ]
      : []),
    ...unreadable,
  ];
}

const AUDIT_FILE = 'audit file';

/** Checks AUDIT_FILE with the rights of this process: the user of the bot may have others, as the documents say. */
export async function checkAuditFile({ auditFile }: Pick<Config, 'auditFile'>): Promise<Finding[]> {
  if (auditFile === undefined) return [];
  if (auditFile === '-') return [ok(AUDIT_FILE, 'is standard output')];
  const found = await stat(auditFile).catch(() => undefined);
  if (found?.isDirectory())
    return [problem(AUDIT_FILE, `AUDIT_FILE must name a file, and ${auditFile} is a folder.`)];
  if (found?.isFIFO())
    return [
      problem(
        AUDIT_FILE,
        `AUDIT_FILE must name a file, and ${auditFile} is a pipe. For standard output, set it to -.`,
      ),
    ];
  return access(found ? auditFile : dirname(auditFile), constants.W_OK).then(
    () => [ok(AUDIT_FILE, 'can be written')],
    ({ code }) => [
      problem(
        AUDIT_FILE,
        `${auditFile} cannot be written (${code}). Make its folder, or give the user of the bot the right to write there.`,
      ),
    ],
  );
}
