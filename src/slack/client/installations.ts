/** Defines how the bot finds its installations, from a token in the environment or from OAuth. */
import type { InstallationClaim } from '../../workspaces/installation/installation-claims.ts';
import type { InstallationRef } from '../../workspaces/installation/uninstall-record.ts';
import type { Installed } from '../../workspaces/installation/uninstall-steps.ts';

export type Installation = {
  workspace: string;
  /** The organization's id, if the app is installed org-wide. */
  organization?: string;
  botToken: string;
  botId: string;
  botUserId: string;
};

export type Installations = {
  /**
   * @param organization named by Slack beside the workspace, if the app is installed org-wide
   * @returns undefined if the app is not installed there
   * @throws if Slack or the storage can't be asked
   */
  find(workspace: string, organization?: string): Promise<Installation | undefined>;
  /** Prepares before the first request. @returns fields for the log @throws if the bot can't work */
  prepare(): Promise<object>;
  /** Lists the installations, by the ids of their workspaces and organizations. */
  ids(): AsyncIterable<string>;
  /** Lists every workspace known to have the app, some of them twice. */
  workspaces(): AsyncGenerator<string, void>;
  /**
   * The installation that serves a workspace: its own, or its organization's. Slack is asked only about SLACK_BOT_TOKEN.
   *
   * @throws if Slack or the storage can't be asked
   */
  servedBy(workspace: string): Promise<string | undefined>;
  /** The present installation, and the workspaces that it alone serves; undefined: there is none. */
  installed(ref: InstallationRef): Promise<Installed | undefined>;
  /** The stored bot token, expired or not. */
  token(ref: InstallationRef): Promise<string | undefined>;
  /**
   * Removes an installation under a claim; one of an organization stays if it only left one workspace.
   *
   * @returns whether the claim stood
   */
  remove(ref: InstallationRef, claim: Pick<InstallationClaim, 'owner'>): Promise<boolean>;
  /**
   * Claims the removal of a workspace's data for so many milliseconds: nobody can install the app there.
   *
   * @returns undefined if somebody else has claimed it
   */
  claimRemoval(workspace: string, ms: number): Promise<InstallationClaim | undefined>;
};

export class NotInstalledError extends Error {
  constructor(workspace: string) {
    super(`Countermand is not installed in workspace ${workspace}.`);
  }
}
