import type { InspectorViewModel } from '../../view-model/inspector.ts';
import { post } from '../api.ts';
import { ActionButton, Section } from './parts.tsx';

type Place = InspectorViewModel['places'][number];

const STATUS: Record<Place['status'], string> = {
  active: 'Countermand is installed.',
  revoked: 'Countermand’s token was revoked.',
  uninstalled: 'Countermand was uninstalled.',
  org_wide: 'Countermand is installed in the whole organization.',
  never: 'Countermand is not installed.',
};

/** The workspaces and organizations where the app can be installed, with the actions of their admins. */
export function Workspaces({ inspector: { places, tokenRotation } }: { inspector: InspectorViewModel }) {
  return places.map(({ id, name, status, installUrl }) => {
    const isActive = status === 'active';
    const install = isActive ? 'Install again' : 'Install';
    const act = (path: string) => () => post(`/slack/control/admin/${path}`, { team: id });
    return (
      <Section key={id} title={name}>
        <p>{STATUS[status]}</p>
        <div className="row">
          {installUrl && (
            <a
              className="button"
              href={installUrl}
              target="_blank"
              rel="noreferrer"
              aria-label={`${install} in ${name}`}
            >
              {install}
            </a>
          )}
          {isActive && (
            <ActionButton tone="danger" label={`Uninstall from ${name}`} action={act('uninstall')}>
              Uninstall
            </ActionButton>
          )}
          {isActive && tokenRotation && (
            <ActionButton label={`Let the tokens of ${name} expire`} action={act('expire-tokens')}>
              Let tokens expire
            </ActionButton>
          )}
        </div>
      </Section>
    );
  });
}
