/** Implements `countermand rotate-keys` and `countermand upgrade-storage`. */
import { parseArgs } from 'node:util';
import { NO_WORKSPACE } from '../outbox/record-store.ts';
import { TERMINAL } from '../requests/model/audit-entry.ts';
import { type Resealed, rotateKeys } from '../workspaces/cipher.ts';
import { type Command, FLAG, withAdapters } from './command.ts';
import { print, when } from './terminal.ts';

export const rotateKeysCommand: Command = {
  usage: `  countermand rotate-keys     encrypts all tokens and secrets with the first of SECRET_KEYS, while the bot runs.
                              Restart the bot with the new key and the old one before: without the new key it can
                              read nothing any more (docs/running.md, "Changing a key")`,
  async run(args) {
    parseArgs({ args, options: {} });
    await withAdapters(async ({ adapters, log }) => {
      const { recordAct, storage } = adapters;
      const [to, ...from] = adapters.keyNames;
      // Otherwise a failover could bring secrets back whose key the operator has removed by then.
      const done = await storage.replicated(() =>
        recordAct(
          { workspace: NO_WORKSPACE, by: [TERMINAL], act: 'rotated_keys', from, to },
          () => rotateKeys(adapters.sealed),
          resultOf,
        ),
      );
      const { resealed, current, unopened, busy } = done;
      log.info({ user: TERMINAL, from, to, resealed, current, unopened, busy }, 'keys rotated');
      await print([
        `Secrets encrypted again: ${resealed}. Already encrypted with the first key: ${current}.`,
      ]);
      const left = leftText(done);
      if (left) throw new Error(left);
    });
  },
};

/** @returns undefined if there was nothing to encrypt again. Workspaces are not named, because the result outlasts them */
export function resultOf({ resealed, unopened, busy }: Resealed): string | undefined {
  const left = unopened.length + busy.length;
  if (resealed + left === 0) return undefined;
  return left === 0 ? 'complete' : 'incomplete';
}

export function leftText({ unopened, busy }: Resealed): string {
  return [
    ...when(
      unopened.length > 0,
      `The secrets of ${unopened.join(', ')} could not be decrypted and were not changed. Their key is missing from SECRET_KEYS, or the stored data are damaged. Put the key back, or connect and install these again.`,
    ),
    ...when(
      busy.length > 0,
      `The secrets of ${busy.join(', ')} were not changed, because somebody is connecting, installing or removing the workspace. Run this again in a few minutes.`,
    ),
  ].join('\n');
}

export const upgradeStorage: Command = {
  usage: `  countermand upgrade-storage [--yes]
                              shows which versions can work on the storage; with --yes, makes this version the oldest
                              one, once all replicas run it. Then there is no way back but a backup (docs/deploying.md)`,
  async run(args) {
    const { values } = parseArgs({ args, options: { yes: FLAG } });
    await withAdapters(async ({ adapters, log }) => {
      const { recordAct, storage } = adapters;
      const { version, replicated } = storage;
      const { oldest: from, own: to } = await version.read();
      if (from === to) return print([`The storage needs this version already (storage version ${to}).`]);
      if (!values.yes)
        return print([
          `Versions of Countermand from storage version ${from} on can work on this storage. This one has ${to}.`,
          'Run this again with --yes once every replica runs this version. Older ones stop then, and only a backup brings them back.',
        ]);
      await replicated(() =>
        recordAct(
          { workspace: NO_WORKSPACE, by: [TERMINAL], act: 'upgraded_storage', from, to },
          version.raise,
          () => 'complete',
        ),
      );
      log.info({ user: TERMINAL, from, to }, 'storage upgraded');
      await print([`The storage needs this version from now on (storage version ${to}).`]);
    });
  },
};
