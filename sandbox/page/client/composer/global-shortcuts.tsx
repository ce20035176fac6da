import { Menu } from '../popover.tsx';
import { useSelf } from '../self.ts';

/** The menu of the app's global shortcuts, if it has any. */
export function GlobalShortcuts() {
  const { actions, menu } = useSelf();
  const items = menu.shortcuts
    .filter(({ type }) => type === 'global')
    .map(({ name, description, callback_id }) => ({
      key: callback_id,
      label: name,
      description,
      action: () => actions.shortcut(callback_id),
    }));
  return items.length > 0 && <Menu label="Shortcuts" face="⚡" items={items} />;
}
