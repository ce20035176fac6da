/** Declares an installation of the bot, which serves a workspace or those of an organization, and the port that finds them. */
import type { RemovableInstallations } from '../../workspaces/installation/uninstall-record.ts';

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
export type Installations = RemovableInstallations & {
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
  /** Whether another workspace than this one is known to have the app. */
  hasOthers(workspace: string): Promise<boolean>;
  /** Whether a user may be the bot of an installation: also if one can't be read. What is known may be seconds old. */
  isBot(user: string): Promise<boolean>;
  /** The bot token of an installation, renewed first if it is about to expire. If Slack does not renew it, the expired one. */
  token(id: string): Promise<string | undefined>;
  /** Whether Slack refuses to renew the bot token of an installation: once that has expired, no token will work. */
  isNotRenewed(id: string): Promise<boolean>;
};

export class NotInstalledError extends Error {
  constructor(workspace: string) {
    super(`Countermand is not installed in workspace ${workspace}.`);
  }
}
