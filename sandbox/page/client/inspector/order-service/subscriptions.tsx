import { type FormEvent, useState } from 'react';
import type { OrganizationSeen } from '../../../view-model/inspector.ts';
import { post, remove } from '../../api.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Section } from '../parts/section.tsx';
import { useAction } from '../parts/use-action.ts';

/** The subscriptions of an organization. An admin who connects gets a URL and a secret to enter here. */
export function Subscriptions({ organization: { id, subscriptions } }: { organization: OrganizationSeen }) {
  return (
    <Section title="Subscriptions">
      <p className="inspector-muted">
        The service posts the events of this organization to these URLs. An admin who connects a workspace
        gets a URL and a secret to enter here.
      </p>
      {subscriptions.length === 0 && <p>No subscriptions.</p>}
      <ul className="inspector-list">
        {subscriptions.map((each) => (
          <li key={each.id}>
            <span className="inspector-grow inspector-wrap">{each.url}</span>
            <ActionButton
              label={`Remove ${each.url}`}
              action={() => remove(`/orders/control/subscriptions/${each.id}?organization=${id}`)}
            >
              Remove
            </ActionButton>
          </li>
        ))}
      </ul>
      <SubscribeForm organization={id} />
    </Section>
  );
}

const EMPTY = { url: '', secret: '' };

function SubscribeForm({ organization }: { organization: string }) {
  const [entered, setEntered] = useState(EMPTY);
  const { isBusy, run } = useAction();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { url, secret } = entered;
    const isDone = await run(() =>
      post('/orders/control/subscriptions', { url: url.trim(), secret: secret.trim(), organization }),
    );
    if (isDone) setEntered(EMPTY);
  }

  const field = (name: keyof typeof EMPTY) => ({
    value: entered[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setEntered({ ...entered, [name]: target.value }),
    required: true,
    autoComplete: 'off',
    spellCheck: false,
  });

  return (
    <form className="inspector-form" aria-busy={isBusy} onSubmit={submit}>
      <label>
        URL
        <input type="url" {...field('url')} />
      </label>
      <label>
        Secret
        <input type="text" {...field('secret')} />
      </label>
      <button type="submit" className="inspector-button">
        Add a subscription
      </button>
    </form>
  );
}
