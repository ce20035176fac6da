/** Where the bot is installed, whichever way that is known: a token in the environment, or OAuth. */
import type { Patience } from '../../requests/ports/locks.ts';
import type { Installed } from '../../workspaces/installation/uninstall.ts';
import type { Left } from '../../workspaces/installation/uninstall-record.ts';

/** How the bot works in one workspace. */
export type Installation = {
  workspace: string;
  /** Where it is installed in the whole organization: the organization's id. */
  organization?: string;
  botToken: string;
  botId: string;
  botUserId: string;
};

export type Installations = {
  /**
   * @param organization as Slack named it beside the workspace, where it is installed in the organization
   * @throws where Slack or the storage can't be asked; undefined: the app is not installed there
   */
  find(workspace: string, organization?: string): Promise<Installation | undefined>;
  /** Before anything is served. @returns what the log says of it @throws where the bot could not work */
  prepare(): Promise<object>;
  /** Every workspace that is known to have it, some of them twice. */
  workspaces(): AsyncGenerator<string, void>;
  installed(left: Left): Promise<Installed | undefined>;
  /** The bot token that is stored now, expired or not. */
  token(left: Left): Promise<string | undefined>;
  /** Where an organization has left one workspace, its installation stays. */
  remove(left: Left): Promise<void>;
  alone<T>(left: Left, patience: Patience, act: () => Promise<T>): Promise<T>;
};

export class NotInstalledError extends Error {
  constructor(workspace: string) {
    super(`Countermand is not installed in workspace ${workspace}.`);
  }
}
