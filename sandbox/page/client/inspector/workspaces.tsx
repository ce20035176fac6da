import type { InspectorViewModel } from '../../view-model/inspector.ts';
import { post } from '../api.ts';
import { ActionButton } from './parts/action-button.tsx';
import { Section } from './parts/section.tsx';

type Place = InspectorViewModel['places'][number];

const STATUS: Record<Place['status'], string> = {
  active: 'Countermand is installed.',
  revoked: 'Countermand’s token was revoked.',
  uninstalled: 'Countermand was uninstalled.',
  org_wide: 'Countermand is installed in the whole organization.',
  never: 'Countermand is not installed.',
};

/** The workspaces and organizations where the app can be installed, with the actions of their admins. */
export function Workspaces({ places, rotates }: { places: Place[]; rotates: boolean }) {
  return places.map((place) => (
    <Section key={place.id} title={place.name}>
      <p>{STATUS[place.status]}</p>
      <div className="inspector-buttons">
        {place.installUrl && <Install place={place} url={place.installUrl} />}
        {place.status === 'active' && <Uninstall place={place} />}
        {place.status === 'active' && rotates && <Expire place={place} />}
      </div>
    </Section>
  ));
}

const Install = ({ place: { name, status }, url }: { place: Place; url: string }) => (
  <a
    className="inspector-button"
    href={url}
    target="_blank"
    rel="noreferrer"
    aria-label={`${status === 'active' ? 'Install again' : 'Install'} in ${name}`}
  >
    {status === 'active' ? 'Install again' : 'Install'}
  </a>
);

const Uninstall = ({ place: { id, name } }: { place: Place }) => (
  <ActionButton
    tone="bad"
    label={`Uninstall from ${name}`}
    action={() => post('/slack/control/admin/uninstall', { team: id })}
  >
    Uninstall
  </ActionButton>
);

const Expire = ({ place: { id, name } }: { place: Place }) => (
  <ActionButton
    label={`Let the tokens of ${name} expire`}
    action={() => post('/slack/control/admin/expire-tokens', { team: id })}
  >
    Let tokens expire
  </ActionButton>
);
