/**
 * Stores which workspace Slack named for SLACK_BOT_TOKEN. Once the token is dead, Slack names none any more, and the data of that
 * workspace are to be removed.
 */
import type Keyv from 'keyv';
import { z } from 'zod';

const TokenWorkspace = z.object({
  /** A digest of the token. */
  generation: z.string(),
  workspace: z.string(),
  botUserId: z.string(),
});
type TokenWorkspace = z.infer<typeof TokenWorkspace>;

const KEY = 'SLACK_BOT_TOKEN';

export type TokenWorkspaces = ReturnType<typeof createTokenWorkspaces>;

export function createTokenWorkspaces(values: Keyv) {
  const read = async () => TokenWorkspace.safeParse(await values.get(KEY)).data;
  return {
    /** @returns undefined if Slack has never accepted this token, or all data of its workspace were removed */
    async find(generation: string): Promise<TokenWorkspace | undefined> {
      const stored = await read();
      return stored?.generation === generation ? stored : undefined;
    },
    /** Whether Slack has accepted another token for the workspace since: a restarted process has that one. */
    async isReplaced({
      generation,
      workspace,
    }: Pick<TokenWorkspace, 'generation' | 'workspace'>): Promise<boolean> {
      const stored = await read();
      return stored?.workspace === workspace && stored.generation !== generation;
    },
    async learn(named: TokenWorkspace): Promise<void> {
      if ((await read())?.generation !== named.generation) await values.set(KEY, named);
    },
    async forget(workspace: string): Promise<void> {
      if ((await read())?.workspace === workspace) await values.delete(KEY);
    },
  };
}
