import type { Offer } from '../../../../order-service/organization.ts';
import { Section } from '../parts/section.tsx';

/** The offers of an organization, with their statuses. */
export function Offers({ offers }: { offers: Offer[] }) {
  return (
    <Section title="Offers">
      {offers.length === 0 && <p className="inspector-muted">No offers.</p>}
      <ul className="inspector-list">
        {offers.map(({ id, status, forbidden }) => (
          <li key={id}>
            <strong>{id}</strong>
            <span className="inspector-status">{status.replaceAll('_', ' ')}</span>
            {forbidden && <span className="inspector-muted">callers can’t cancel it</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
