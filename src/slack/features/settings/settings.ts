/** Opens the form of the settings, saves it, and draws it anew. Its buttons pause sending, and try the pattern of order ids. */
import type { types, ViewResponseAction, webApi } from '@slack/bolt';
import type { ChangedSettings } from '../../../requests/model/audit-entry.ts';
import { GENERAL_SETTINGS, type GeneralSettings, type InForce } from '../../../requests/model/settings.ts';
import { idsInMessage } from '../../../requests/use-cases/addresses.ts';
import type { PauseResult } from '../../../requests/use-cases/pause-sending.ts';
import { channelProblem, maySetAdmins } from '../../../requests/use-cases/who-may.ts';
import type { Saved, ShownVersion } from '../../../workspaces/settings-record.ts';
import { type FieldErrors, withBlocks } from '../../blocks/forms.ts';
import { escaped, listed, section } from '../../blocks/text.ts';
import { nameGroup, type UserGroup } from '../../directory/read-people.ts';
import { actForAdmin, adminsOnly } from '../../listeners/admin-only.ts';
import { refusal, textInstead } from '../../listeners/answers.ts';
import {
  type ActionArgs,
  type Listener,
  type ListenerDeps,
  momentOf,
  type ViewArgs,
  workspaceOf,
} from '../../listeners/listener.ts';
import { type Opener, redrawAfter } from '../../listeners/modals.ts';
import type { SeenModal } from '../../listeners/redraw.ts';
import { fieldTexts } from '../../messages/sentences/form-texts.ts';
import { whoPaused } from '../../messages/sentences/problems.ts';
import { capital } from '../../messages/sentences/request-words.ts';
import { settingLines } from '../../messages/sentences/settings-texts.ts';
import { POLICY_MISTAKES } from './policy-form.ts';
import {
  beneath,
  conflictTexts,
  readSettings,
  SETTINGS_FORM,
  SETTINGS_TITLE,
  versionIn,
} from './settings-form.ts';
import { settingsModal, TRY_BLOCK } from './settings-modal.ts';

export const SETTINGS_FRAME = { title: SETTINGS_TITLE, meanwhile: 'Loading the settings…' };

export const settingsFor = async (
  deps: ListenerDeps,
  { workspace, user: by, client }: Opener,
): Promise<types.ModalView> =>
  drawSettings(deps, client, { workspace, by }, await deps.settingsInForce(workspace));

/** Draws the form with the names of user groups, and with the fields that the person (`by`) may change. */
async function drawSettings(
  { directory }: Pick<ListenerDeps, 'directory'>,
  client: webApi.WebClient,
  { workspace, by }: { workspace: string; by: string },
  inForce: InForce,
): Promise<types.ModalView> {
  const named = async (group: string | undefined): Promise<UserGroup | undefined> =>
    group === undefined ? undefined : nameGroup(client, workspace, group);
  const requesters = await named(inForce.settings.requesters);
  if (!(await directory.isOrgWide(workspace))) return settingsModal(inForce, { requesters });
  const group = await named(inForce.settings.admins);
  const isEditable = await maySetAdmins({ directory }, workspace, await directory.person(workspace, by));
  return settingsModal(inForce, { requesters, admins: { group, isEditable } });
}

/**
 * The modal of the settings beneath another one. `beneath`: the version of the settings that it shows. `shown`, `saved`: the
 * versions that the modal on top of it showed, and saved.
 */
type SettingsBeneath = {
  opened: SeenModal;
  beneath?: ShownVersion;
  shown?: ShownVersion;
  saved: ShownVersion;
};

/**
 * Shows the settings as they are now in a modal that lies beneath another. Never throws: what the admin did on top of it is
 * done, and without a newer version beneath, a later conflict tells them to open the settings again.
 */
export async function showSettings(
  deps: ListenerDeps,
  client: webApi.WebClient,
  { workspace, by }: { workspace: string; by: string },
  { opened, beneath, shown, saved }: SettingsBeneath,
): Promise<void> {
  const redrawn = deps.redraw({ client, workspace }, opened, async (newerMetadata) => {
    const settings = await deps.settings(workspace);
    const showing = newerMetadata === undefined ? beneath : versionIn(newerMetadata);
    // Settings that were outdated already stay so: the admin has not seen the change.
    const version = showing === shown ? saved : showing;
    return drawSettings(deps, client, { workspace, by }, { settings, version });
  });
  await redrawn.catch((err) =>
    deps.log.warn({ err, workspace, user: by }, 'settings beneath a modal not drawn anew'),
  );
}

export const SETTINGS_UNCHANGED =
  'Nothing was changed: the settings in this form were already like this. Approvals and replies to customers are saved in forms of their own.';

export function settingsSubmission(deps: ListenerDeps): Listener<ViewArgs> {
  return adminsOnly(SETTINGS_TITLE, deps, async ({ ack, body, view, context }) => {
    const { settings, shown, errors } = readSettings(view);
    const workspace = workspaceOf(context);
    const [channel, groups, admins] = await Promise.all([
      notificationsErrors(deps, workspace, settings.notificationsChannel),
      groupErrors(deps, workspace, settings),
      'admins' in settings ? adminsErrors(deps, workspace, body.user.id) : {},
    ]);
    const refused = refusal(errors, channel, groups, admins);
    if (refused) return ack(refused);
    const saved = await deps.saveSettings(workspace, settings, shown, body.user.id);
    const form = { title: SETTINGS_TITLE, unchanged: SETTINGS_UNCHANGED, at: SETTINGS_FORM.at };
    return ack(savedAnswer(form, settings, saved));
  });
}

/** A form of settings. `unchanged`: said if nothing was changed. `at`: puts texts at its fields. */
type SavedForm = { title: string; unchanged: string; at: (texts: Record<string, string>) => FieldErrors };

/** Answers the submission of a form of settings. @param settings in the form */
export function savedAnswer(
  { title, unchanged, at }: SavedForm,
  settings: GeneralSettings,
  saved: Saved,
): ViewResponseAction {
  switch (saved.type) {
    case 'saved':
      return textInstead(title, ...savedSettingsTexts(settings, saved.changed));
    case 'unchanged':
      return textInstead(title, unchanged);
    case 'conflict':
      return { response_action: 'errors', errors: at(conflictTexts(saved.names)) };
  }
}

export function savedSettingsTexts(settings: GeneralSettings, changed: ChangedSettings): string[] {
  const names = GENERAL_SETTINGS.filter((name) => name in changed);
  return ['Saved. In force now:', ...settingLines(settings, names).map((line) => `• ${line}`)];
}

/** Checks whether a person may choose who administers the workspace. @returns the refusal, at its field */
async function adminsErrors(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  by: string,
): Promise<FieldErrors> {
  const may = await maySetAdmins({ directory }, workspace, await directory.person(workspace, by));
  return may ? {} : SETTINGS_FORM.at({ admins: ADMINS_OF_ORGANIZATION });
}

export const ADMINS_OF_ORGANIZATION: string =
  'Only admins and owners of the organization can choose this, so nothing was saved. Ask one of them.';

/**
 * Checks whether newly chosen user groups can be read. Slack offers only groups that exist, but a form may name anything, which
 * would then be shown to others as a mention.
 */
async function groupErrors(
  { directory, settings }: Pick<ListenerDeps, 'directory' | 'settings'>,
  workspace: string,
  chosen: GeneralSettings,
): Promise<FieldErrors> {
  const before = await settings(workspace);
  async function mistakeIn(name: 'requesters' | 'admins'): Promise<string | undefined> {
    const group = chosen[name];
    if (group === undefined || group === before[name]) return undefined;
    const members = await directory.groupMembers(workspace, group, 'remembered');
    return members ? undefined : POLICY_MISTAKES.group.group_unreadable;
  }
  const [requesters, admins] = await Promise.all([mistakeIn('requesters'), mistakeIn('admins')]);
  return SETTINGS_FORM.at({ requesters, admins });
}

/** Checks whether the bot can post in the notifications channel. @returns what is wrong with the channel, at its field */
async function notificationsErrors(
  { directory }: Pick<ListenerDeps, 'directory'>,
  workspace: string,
  channel: string | undefined,
): Promise<FieldErrors> {
  if (channel === undefined) return {};
  const problem = channelProblem(await directory.channel(workspace, channel));
  return SETTINGS_FORM.at({ notificationsChannel: fieldTexts({ channel: problem }).channel });
}

/** Tells which ids the pattern finds in a text, as the shortcut of a message finds them (the button "Try it"). */
export const tryPatternAction = ({ redraw }: ListenerDeps): Listener<ActionArgs> =>
  redrawAfter(redraw, async (view, _args, newerMetadata) => {
    // The view is drawn from what the person saw: other settings that were drawn since are left alone. The result of another
    // click keeps the metadata.
    if (newerMetadata !== undefined && newerMetadata !== view.private_metadata) return undefined;
    const { sample, settings } = readSettings(view);
    const text =
      SETTINGS_FORM.fields.orderIdPattern.wrong(settings.orderIdPattern ?? '') ?? foundText(sample, settings);
    const result = { ...section(text), block_id: 'try_pattern_result' };
    const blocks = (view.blocks as types.KnownBlock[])
      .filter(({ block_id }) => block_id !== result.block_id)
      .flatMap((block) => (block.block_id === TRY_BLOCK ? [block, result] : [block]));
    return withBlocks(view, blocks);
  });

export function foundText(sample: string, settings: Parameters<typeof idsInMessage>[2]): string {
  if (sample === '') return 'Write a text above, and press “Try it” again.';
  const ids = idsInMessage('cancel_order', sample, settings);
  return ids.length === 0
    ? 'I find no order id in this text.'
    : `I find in this text: ${listed(ids.map((id) => `*${escaped(id)}*`))}.`;
}

type PauseOrResume = 'pauseSending' | 'resumeSending';

/** Listens to the buttons that pause and resume sending. The result is told on top of the settings, which then show it, too. */
export function pauseAction(change: PauseOrResume, deps: ListenerDeps): Listener<ActionArgs> {
  const title = change === 'pauseSending' ? 'Pause sending' : 'Resume sending';
  return async (args) => {
    const { action, body, client, context } = args;
    const who = { workspace: workspaceOf(context), by: body.user.id };
    const moment = momentOf(action);
    const result = await actForAdmin(
      deps,
      args,
      { title, meanwhile: 'One moment…' },
      {
        act: () => deps[change]({ ...who, ...(moment !== undefined && { moment }) }),
        textOf: (done) => pauseText(change, done),
      },
    );
    if (!result) return;
    await showSettings(deps, client, who, {
      opened: body.view ?? {},
      ...beneath(body),
      shown: result.former,
      saved: result.version,
    });
    await deps.showPause(who.workspace);
  };
}

export function pauseText(
  change: PauseOrResume,
  { pause, later, isNew }: Pick<PauseResult, 'pause' | 'later' | 'isNew'>,
): string {
  if (change === 'resumeSending') {
    if (later) return `${capital(whoPaused(later))}, after you pressed this, so nothing was changed.`;
    return pause
      ? 'Sending is resumed. Requests that still wait, and new ones, are no longer held back by the pause.'
      : 'Sending was not paused, so nothing was changed.';
  }
  if (!pause) return 'An admin has resumed sending since you pressed this, so nothing was changed.';
  if (!isNew) return `Sending was paused already: ${whoPaused(pause)}.`;
  return 'Sending is paused. No request is sent to the order service until an admin resumes sending. A request that is already being sent is not stopped.';
}
