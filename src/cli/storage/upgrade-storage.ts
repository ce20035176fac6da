/** Implements `countermand upgrade-storage`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../../config.ts';
import { NO_WORKSPACE } from '../../outbox/record-store.ts';
import { TERMINAL } from '../../requests/model/audit/audit-entry.ts';
import { type Command, print, withAdapters } from '../command.ts';

const OPTIONS = { yes: { type: 'boolean', default: false } } as const;

export const upgradeStorage: Command = {
  usage: `  countermand upgrade-storage [--yes]
                              shows which versions can work on the storage; with --yes, makes this version the oldest
                              one, once all replicas run it. Then there is no way back but a backup (docs/upgrading.md)`,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    await withAdapters(loadConfig(), async ({ storage: { version }, recordAct }, log) => {
      const { oldest: from, own: to } = await version.read();
      if (from === to) return print([`The storage needs this version already (storage version ${to}).`]);
      if (!values.yes)
        return print([
          `Versions of Countermand from storage version ${from} on can work on this storage. This one has ${to}.`,
          'Run this again with --yes once every replica runs this version. Older ones stop then, and only a backup brings them back.',
        ]);
      await recordAct(
        { workspace: NO_WORKSPACE, by: [TERMINAL], act: 'upgraded_storage', from, to },
        version.raise,
        () => 'complete',
      );
      log.info({ user: TERMINAL, from, to }, 'storage upgraded');
      print([`The storage needs this version from now on (storage version ${to}).`]);
    });
  },
};
