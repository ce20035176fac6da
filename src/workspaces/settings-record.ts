/**
 * Models the settings that the admins of a workspace have made: one record, which holds nothing else. Decides what each act of
 * an admin changes in it, and which audit entries and notices tell of that.
 */
import { z } from 'zod';
import { type RecordRef, SETTINGS_ID } from '../outbox/record-store.ts';
import {
  type ChangedSettings,
  type NewAuditEntry,
  sendingPaused,
  sendingResumed,
  settingsChanged,
} from '../requests/model/audit-entry.ts';
import { withChannel } from '../requests/model/channels.ts';
import type { Kind } from '../requests/model/kinds.ts';
import {
  newSendingNotice,
  newSettingsNotice,
  type SendingNotice,
  type SettingsNotice,
} from '../requests/model/notices/notice.ts';
import { isSamePolicy, type Policy } from '../requests/model/policy.ts';
import {
  GENERAL_SETTINGS,
  type GeneralSettings,
  type InForce,
  isOutdatedBy,
  type PauseChanged,
  type PauseClick,
  type SettingName,
  Settings,
} from '../requests/model/settings.ts';

export const SettingsRecord = z.object({
  workspace: z.string(),
  id: z.literal(SETTINGS_ID),
  version: z.number(),
  settings: Settings,
});
export type SettingsRecord = z.infer<typeof SettingsRecord>;

/** The version of the settings that a form showed; undefined: nothing was set. */
export type ShownVersion = InForce['version'];

/**
 * `conflict`: the settings have changed since they were shown, and nothing was saved. A form may stay open for any time,
 * and must not revert what it did not show. `names`: the settings that would have changed. `version`: after the save.
 * `changed`: what the save has changed. `notices`: the notices that were written with it, to be woken.
 */
export type Saved =
  | { type: 'saved'; version: number; changed: ChangedSettings; notices: readonly RecordRef[] }
  | { type: 'unchanged' }
  | { type: 'conflict'; names: SettingName[] };

/** `policy` undefined: the kind needs no approval. */
export type KindPolicy = { kind: Kind; policy: Policy | undefined };

/** The settings as they were read. `at`: the time of the read, epoch milliseconds by the store's clock. */
export type Current = InForce & { workspace: string; at: number };

/**
 * The decision about a change. `result`: what the change returns; of a write, by the version that it has written. `acts`: what
 * an admin did by the write.
 */
export type Decided<T> =
  | { type: 'keep'; result: T }
  | {
      type: 'write';
      next: Settings;
      result: (version: number) => T;
      acts?: NewAuditEntry[];
      notices?: (SettingsNotice | SendingNotice)[];
    };

/** A form: the version of the settings that it showed, and the admin who submitted it. */
type Form = { shown: ShownVersion; by: string };

const UNCHANGED: Decided<Saved> = { type: 'keep', result: { type: 'unchanged' } };

/** Decides what a submitted form of settings changes. */
export function withGeneral(current: Current, given: GeneralSettings, form: Form): Decided<Saved> {
  const { settings, version } = current;
  const names = GENERAL_SETTINGS.filter((name) => name in given && !isSame(given[name], settings[name]));
  if (names.length === 0) return UNCHANGED;
  if (version !== form.shown) return { type: 'keep', result: { type: 'conflict', names } };
  const changed = Object.fromEntries(names.map((name) => [name, fromTo(settings[name], given[name])]));
  return saving(current, { ...settings, ...given }, changed, form);
}

/** The name of a policy in the audit trail, among the settings. */
export const policySetting = (kind: Kind): string => `policy of ${kind}`;

/** Decides what a submitted form of a policy changes. */
export function withPolicy(current: Current, { kind, policy }: KindPolicy, form: Form): Decided<Saved> {
  const { settings, version } = current;
  const former = settings.policies?.[kind];
  const policies = { ...settings.policies, [kind]: policy };
  // An admin who has left can't be told any more, so another one must be able to take their place.
  if (isSamePolicy(policy, former) && policy?.setBy === former?.setBy) return UNCHANGED;
  if (version !== form.shown) return { type: 'keep', result: { type: 'conflict', names: [] } };
  return saving(current, { ...settings, policies }, { [policySetting(kind)]: fromTo(former, policy) }, form);
}

function saving(current: Current, next: Settings, changed: ChangedSettings, { by }: Form): Decided<Saved> {
  const acting = actingOn(current, by);
  const notices = channelsToTell(current.settings, next).map((channel) =>
    newSettingsNotice({ ...acting, channel, changes: changed }),
  );
  return {
    type: 'write',
    next,
    result: (version) => ({ type: 'saved', version, changed, notices }),
    acts: settingsChanged(acting, changed),
    notices,
  };
}

const actingOn = ({ workspace, version: former, at }: Current, by: string) => ({ workspace, former, at, by });

/** The channels that are told of a change: also the former one, if the change is of the notifications channel. */
const channelsToTell = (before: Settings, next: Settings): string[] => [
  ...new Set(
    [before, next].flatMap(({ notificationsChannel: channel }) => (channel === undefined ? [] : [channel])),
  ),
];

/** Pauses sending, unless it is paused, or was resumed by a later click. */
export function withPause(current: Current, click: PauseClick): Decided<PauseChanged> {
  const { resumed, ...rest } = current.settings;
  if (rest.paused !== undefined || isOutdatedBy(click, resumed)) return asItIs(current);
  const pause = { ...click, at: current.at };
  const acts = [sendingPaused(actingOn(current, click.by))];
  return pausing(current, { ...rest, paused: pause }, acts, { type: 'sending_paused', by: click.by, pause });
}

/** Resumes sending, unless it is not paused, or was paused by a later click. */
export function withoutPause(current: Current, click: PauseClick): Decided<PauseChanged> {
  const { paused: pause, ...rest } = current.settings;
  if (!pause || isOutdatedBy(click, pause)) return asItIs(current);
  const resumed = { ...click, at: current.at, pause };
  const acts = [sendingResumed(actingOn(current, click.by))];
  return pausing(current, { ...rest, resumed }, acts, { type: 'sending_resumed', by: click.by, pause });
}

const asItIs = ({ settings, version, at }: Current): Decided<PauseChanged> => ({
  type: 'keep',
  result: { isNew: false, former: version, settings, version, at, notices: [] },
});

function pausing(
  { workspace, settings: { notificationsChannel: channel }, version: former, at }: Current,
  next: Settings,
  acts: NewAuditEntry[],
  about: Pick<SendingNotice, 'type' | 'by' | 'pause'>,
): Decided<PauseChanged> {
  const notices = channel === undefined ? [] : [newSendingNotice({ ...about, workspace, channel, at })];
  return {
    type: 'write',
    next,
    result: (version) => ({ isNew: true, former, settings: next, version, at, notices }),
    acts,
    notices,
  };
}

/** Replaces the id of a channel wherever the settings name it. */
export function withChannelRenamed(settings: Settings, from: string, to: string): Settings {
  const isNotified = settings.notificationsChannel === from;
  return { ...withChannel(settings, from, to), ...(isNotified && { notificationsChannel: to }) };
}

const fromTo = (from: unknown, to: unknown) => ({ from: from ?? null, to: to ?? null });

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
