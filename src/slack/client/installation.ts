/** Declares an installation of the bot, which serves a workspace or those of an organization, and the port that finds them. */

import type { HeldClaim } from '../../outbox/record-changes.ts';
import type { InstallationRef, ServedAlone } from '../../workspaces/installation/uninstall-record.ts';

export type Installation = {
  workspace: string;
  /** The organization's id, if the app is installed org-wide. */
  organization?: string;
  botToken: string;
  botUserId: string;
};

/**
 * The age of an answer of Slack that a workspace is not one of an organization. `now`: Slack must have been asked about this very
 * workspace, because a person waits. `recent`: a list that was read for another workspace will do, because many events may name
 * workspaces of other companies.
 */
export type AnswerAge = 'now' | 'recent';

/**
 * The port that finds the installations, from OAuth (install/find-installations.ts) or from a token in the environment
 * (single-installation.ts beside it).
 */
export type Installations = {
  /**
   * @param organization named by Slack beside the workspace, if the app is installed org-wide
   * @param age of Slack's answer whether the workspace is one of that organization
   * @returns undefined if the app is not installed there, or the workspace does not belong to that organization
   * @throws if Slack or the storage can't be asked
   */
  find(workspace: string, organization?: string, age?: AnswerAge): Promise<Installation | undefined>;
  /**
   * The organization that a workspace is known to belong to, whichever installation serves it.
   *
   * @throws if the storage can't be asked
   */
  memberOf(workspace: string): Promise<string | undefined>;
  /** Prepares before the first request. @returns fields for the log @throws if the bot can't work */
  prepare(): Promise<object>;
  /** Lists the installations, by the ids of their workspaces and organizations. */
  ids(): AsyncIterable<string>;
  /** Lists the workspaces that an organization is known to have, whichever installation serves them. */
  workspacesOf(organization: string): AsyncGenerator<string>;
  /** Whether more than this workspace may have the app. */
  hasOthers(workspace: string): Promise<boolean>;
  /**
   * The installation that serves a workspace: its own, or its organization's. Slack is asked only about SLACK_BOT_TOKEN.
   *
   * @throws if Slack or the storage can't be asked
   */
  servedBy(workspace: string): Promise<string | undefined>;
  /** The present installation, and the workspaces that it alone serves; undefined: there is none. */
  installed(ref: InstallationRef): Promise<ServedAlone | undefined>;
  /** The organization that would serve a workspace without the workspace's own installation, as far as is stored. */
  organizationOf(workspace: string): Promise<string | undefined>;
  /**
   * Stores the organization of a workspace. Call it only with what Slack says to the organization's token: without the
   * workspace's own installation that token is used for it.
   */
  setOrganization(workspace: string, organization: string | undefined): Promise<void>;
  /** The bot token, renewed first if it is about to expire. If Slack does not renew it, the expired one. */
  token(ref: InstallationRef): Promise<string | undefined>;
  /** Whether Slack refuses to renew the bot token of an installation: once that has expired, no token will work. */
  isNotRenewed(id: string): Promise<boolean>;
  /**
   * Removes an installation under a claim. If an organization only left one workspace, its installation stays.
   *
   * @returns whether the claim stood
   */
  remove(ref: InstallationRef, claim: Pick<HeldClaim, 'owner'>): Promise<boolean>;
  /**
   * Claims the removal of a workspace's data for `ms` milliseconds: nobody can install the app there meanwhile.
   *
   * @returns undefined if somebody else has claimed it
   */
  claimRemoval(workspace: string, ms: number): Promise<HeldClaim | undefined>;
};

export class NotInstalledError extends Error {
  constructor(workspace: string) {
    super(`Countermand is not installed in workspace ${workspace}.`);
  }
}
