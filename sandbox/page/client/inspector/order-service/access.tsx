import { useState } from 'react';
import { maskSecret } from '../../../../lib/mask.ts';
import type { ApiToken } from '../../../../order-service/organization.ts';
import type { OrganizationSeen } from '../../../view-model/inspector.ts';
import { post } from '../../api.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Section } from '../parts/section.tsx';

const KINDS: Record<ApiToken['kind'], string> = { rest: 'REST', graphql: 'GraphQL' };

/** The API tokens of an organization. An admin connects the workspace with one of them. */
export function Access({ organization: { id, tokens } }: { organization: OrganizationSeen }) {
  return (
    <Section title="Access">
      <p className="inspector-muted">
        An admin connects with one of these tokens: <code>/countermand connect</code>
      </p>
      {tokens.length === 0 && <p>No tokens left.</p>}
      <ul className="inspector-list">
        {tokens.map((each) => (
          <TokenRow key={each.token} {...each} />
        ))}
      </ul>
      <ActionButton action={() => post('/orders/control/tokens', { kind: 'rest', organization: id })}>
        Issue another REST token
      </ActionButton>
    </Section>
  );
}

function TokenRow({ token, kind, acceptedBy }: ApiToken) {
  const [isInClear, setInClear] = useState(false);
  const name = `the ${KINDS[kind]} token ${maskSecret(token)}`;
  return (
    <li>
      <div className="inspector-grow">
        {KINDS[kind]} <code>{isInClear ? token : maskSecret(token)}</code>
        {acceptedBy && <p className="inspector-muted">Only for {acceptedBy.join(', ')}.</p>}
      </div>
      <ActionButton label={`Copy ${name}`} action={() => navigator.clipboard.writeText(token)}>
        Copy
      </ActionButton>
      <button
        type="button"
        className="inspector-button"
        aria-label={`${isInClear ? 'Hide' : 'Show'} ${name}`}
        onClick={() => setInClear(!isInClear)}
      >
        {isInClear ? 'Hide' : 'Show'}
      </button>
    </li>
  );
}
