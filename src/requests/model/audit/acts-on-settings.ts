/** Tells what admins did with the settings of their workspace. */
import type { NewAuditEntry } from './audit-entry.ts';

/** `former`: the version of the settings until then; undefined: nothing was set. */
type Acting = { workspace: string; by: string; at: number; former: number | undefined };

/** The settings that a save has changed, by name; null: not set. */
export type ChangedSettings = Readonly<Record<string, { from: unknown; to: unknown }>>;

/** An entry for each setting that was changed. */
export const settingsChanged = (acting: Acting, changed: ChangedSettings): NewAuditEntry[] =>
  Object.entries(changed).map(([setting, fromTo]) => ({
    ...entryOf(acting, setting),
    act: 'changed_setting',
    setting,
    ...fromTo,
  }));

export const sendingPaused = (acting: Acting): NewAuditEntry => ({
  ...entryOf(acting, 'pause'),
  act: 'paused',
});

export const sendingResumed = (acting: Acting): NewAuditEntry => ({
  ...entryOf(acting, 'resume'),
  act: 'resumed',
});

/** Each version of the settings is written over once, and has no entry of a name twice. */
const entryOf = ({ workspace, by, at, former }: Acting, name: string) => ({
  workspace,
  id: `settings:${former ?? 'none'}:${name}`,
  at,
  by: [by],
});
