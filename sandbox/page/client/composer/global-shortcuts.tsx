import { Popover } from '../popover.tsx';
import { useSelf } from '../self.ts';

/** The menu of the app's global shortcuts, if it has any. */
export function GlobalShortcuts() {
  const { actions, menu } = useSelf();
  const shortcuts = menu.shortcuts.filter(({ type }) => type === 'global');
  if (shortcuts.length === 0) return null;
  return (
    <Popover label="Shortcuts" face="⚡" className="menu-popover">
      {(close) =>
        shortcuts.map(({ name, description, callback_id }) => (
          <button
            key={callback_id}
            type="button"
            title={description}
            onClick={() => {
              close();
              void actions.shortcut(callback_id);
            }}
          >
            {name}
          </button>
        ))
      }
    </Popover>
  );
}
