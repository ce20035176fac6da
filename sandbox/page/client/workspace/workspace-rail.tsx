import type { WorkspaceSeen } from '../../view-model/workspaces.ts';
import { useNavigation } from '../navigation.ts';

/** The workspace switcher. Each workspace has a different person to act as. */
export function WorkspaceRail({ workspaces, current }: { workspaces: WorkspaceSeen[]; current: string }) {
  const { enter } = useNavigation();
  return (
    <nav className="rail" aria-label="Workspaces">
      <ul className="list">
        {workspaces.map(({ id, name, as, isInstalled }) => (
          <li key={id}>
            <button
              type="button"
              title={name}
              aria-current={id === current ? 'true' : undefined}
              className={isInstalled ? '' : 'without-app'}
              onClick={() => enter(as)}
            >
              <span aria-hidden="true">{initials(name)}</span>
              <span className="for-readers">{isInstalled ? name : `${name}, without Countermand`}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const initials = (name: string) =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2);
