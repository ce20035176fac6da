/** What an operator reads of a secret that cannot be opened: the remedy depends on which one it is. */
import { createSecretKey, randomBytes } from 'node:crypto';
import Keyv from 'keyv';
import { expect, test } from 'vitest';
import { messageOf } from '../../src/cli/command.ts';
import { createCipher, type SealContext } from '../../src/workspaces/cipher.ts';
import { createSealedTokens } from '../../src/workspaces/connection/connection.ts';

const cipherOf = (id: string) => createCipher([{ id, key: createSecretKey(randomBytes(32)) }]);

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

test.each([
  ['api token', 'connect the workspace again'],
  ['events secret', 'connect the workspace again'],
  ['Slack tokens', 'install Countermand again'],
] as const)('without the key of the %s, put it back or %s', (purpose, remedy) => {
  const context: SealContext = { workspace: 'T1', purpose };
  const sealed = cipherOf('lost').seal(context, 'secret');
  for (const id of ['other', 'lost'])
    expect(messageOf(thrownBy(() => cipherOf(id).open(context, sealed)))).toMatch(
      new RegExp(` Put back the key that sealed it \\(SECRET_KEYS, or the key file\\), or ${remedy}\\.$`),
    );
});

test('a token that is gone is brought back by no key', async () => {
  const tokens = createSealedTokens(new Keyv(), cipherOf('k'));
  const error = await tokens.isCurrent('g1').catch((thrown: unknown) => thrown);
  expect(messageOf(error)).toBe('The token of this connection is missing. Connect the workspace again.');
});
