/** Implements `countermand rotate-keys`. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { type Resealed, rotateKeys } from '../workspaces/rotate-keys.ts';
import { type Command, print, withAdapters } from './command.ts';

export const rotateKeysCommand: Command = {
  usage: `  countermand rotate-keys     seals all tokens and secrets with the first of SECRET_KEYS, while the bot runs. First
                              restart the bot with the new key and the old one: one that does not know the new key
                              can open nothing any more (docs/running.md, "Changing a key")`,
  async run(args) {
    parseArgs({ args, options: {} });
    await withAdapters(loadConfig(), async ({ sealed }) => {
      const done = await rotateKeys(sealed);
      print([`Sealed anew: ${done.resealed}. Sealed by the first key already: ${done.current}.`]);
      const left = leftText(done);
      if (left) throw new Error(left);
    });
  },
};

/** Explains what to do about secrets that were left unchanged. */
function leftText({ unopened, busy }: Resealed): string {
  return [
    ...(unopened.length === 0
      ? []
      : [
          `Not opened, and left as it is: what is sealed for ${unopened.join(', ')}. The key that sealed it is not among SECRET_KEYS, or it was changed: put the key back, or connect the workspace again.`,
        ]),
    ...(busy.length === 0
      ? []
      : [
          `In use, and left as it is: what is sealed for ${busy.join(', ')}. Somebody is connecting, installing or removing it: run this again in a few minutes.`,
        ]),
  ].join('\n');
}
