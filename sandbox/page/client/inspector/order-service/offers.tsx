import type { Offer } from '../../../../order-service/world/organizations.ts';
import { Section } from '../parts/section.tsx';

/** The offers of an organization, and where each stands. */
export function Offers({ offers }: { offers: Offer[] }) {
  return (
    <Section title="Offers">
      {offers.length === 0 && <p className="backstage-muted">There are none.</p>}
      <ul className="backstage-list">
        {offers.map(({ id, status, forbidden }) => (
          <li key={id}>
            <strong>{id}</strong>
            <span className="backstage-status">{status.replaceAll('_', ' ')}</span>
            {forbidden && <span className="backstage-muted">may not be cancelled by callers</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
