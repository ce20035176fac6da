import { useState } from 'react';
import type { ApiToken } from '../../../../order-service/world/organizations.ts';
import type { OrganizationSeen } from '../../../view-model/backstage.ts';
import { post } from '../../api.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Section } from '../parts/section.tsx';
import { masked } from './mask.ts';

const KINDS: Record<ApiToken['kind'], string> = { rest: 'REST', graphql: 'GraphQL' };

/** The tokens with which callers get in: an admin takes one of them to connect the workspace. */
export function Access({ organization: { id, tokens } }: { organization: OrganizationSeen }) {
  return (
    <Section title="Access">
      <p className="backstage-muted">
        An admin connects with one of these tokens: <code>/countermand connect</code>
      </p>
      {tokens.length === 0 && <p>There is no token left.</p>}
      <ul className="backstage-list">
        {tokens.map((each) => (
          <TokenRow key={each.token} {...each} />
        ))}
      </ul>
      <ActButton act={() => post('/orders/control/tokens', { kind: 'rest', organization: id })}>
        Issue another REST token
      </ActButton>
    </Section>
  );
}

function TokenRow({ token, kind, acceptedBy }: ApiToken) {
  const [isInClear, setInClear] = useState(false);
  const name = `the ${KINDS[kind]} token ${masked(token)}`;
  return (
    <li>
      <div className="backstage-grow">
        {KINDS[kind]} <code>{isInClear ? token : masked(token)}</code>
        {acceptedBy && <p className="backstage-muted">Good for {acceptedBy.join(', ')} alone.</p>}
      </div>
      <ActButton label={`Copy ${name}`} act={() => navigator.clipboard.writeText(token)}>
        Copy
      </ActButton>
      <button
        type="button"
        className="backstage-button"
        aria-label={`${isInClear ? 'Hide' : 'Show'} ${name}`}
        onClick={() => setInClear(!isInClear)}
      >
        {isInClear ? 'Hide' : 'Show'}
      </button>
    </li>
  );
}
