/** countermand rotate-keys */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { rotateKeys } from '../workspaces/rotate-keys.ts';
import { type Command, print, withParts } from './command.ts';

export const rotateKeysCommand: Command = {
  usage: `  countermand rotate-keys     seals all tokens and secrets with the first of SECRET_KEYS, while the bot runs`,
  async run(args) {
    parseArgs({ args, options: {} });
    await withParts(loadConfig(), async ({ sealed }) => {
      const { resealed, current, unopened } = await rotateKeys(sealed);
      print([`Sealed anew: ${resealed}. Sealed by the first key already: ${current}.`]);
      if (unopened.length > 0) throw new Error(unopenedText(unopened));
    });
  },
};

const unopenedText = (workspaces: readonly string[]) =>
  `Not opened, and left as it is: what is sealed for ${workspaces.join(', ')}. The key that sealed it is not among SECRET_KEYS, or it was changed: put the key back, or connect the workspace again.`;
