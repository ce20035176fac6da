/** The troubles of the order service, and the connections between it, Slack and the bot. */
import type { FormEvent } from 'react';
import type { OrganizationSeen } from '../../view-model/inspector.ts';
import type { Trouble } from '../../view-model/troubles.ts';
import { post, remove } from '../api.ts';
import { ActionButton, Section, useAction } from './parts.tsx';

const TROUBLES: Record<Trouble, string> = {
  slow: 'Answers after 4 seconds',
  down: 'Is down (nothing listens)',
  error: 'Answers 500',
  rate_limited: 'Answers 429, with Retry-After of 5 s',
  unanswered: 'Loses its answers (drops the connection after receiving)',
};

/** Switches for the troubles of the order service; each stays on until it is switched off. */
export function Troubles({ troubles }: { troubles: Record<Trouble, boolean> }) {
  const { isBusy, run } = useAction();
  return (
    <Section title="Troubles">
      {(Object.keys(TROUBLES) as Trouble[]).map((trouble) => (
        <label key={trouble} className="row">
          <input
            type="checkbox"
            role="switch"
            checked={troubles[trouble]}
            aria-checked={troubles[trouble]}
            aria-busy={isBusy}
            onChange={({ target }) =>
              void run(() => post('/orders/control/troubles', { trouble, isOn: target.checked }))
            }
          />
          {TROUBLES[trouble]}
        </label>
      ))}
      <p className="quiet">Of several, the one that was switched on first applies.</p>
    </Section>
  );
}

/** The connections of Socket Mode, with buttons that drop or close them. */
export function Connections({ count }: { count: number }) {
  const socket = '/slack/control/sockets';
  return (
    <Section title="Slack connections">
      <p>
        The bot has {count === 1 ? '1 connection' : `${count} connections`} to Slack. It opens another in
        place of one that ends.
      </p>
      <div className="row">
        <ActionButton label="Drop the connections" action={() => post(`${socket}/drop`)}>
          Drop
        </ActionButton>
        <ActionButton
          label="Ask to leave the connections"
          action={() => post(`${socket}/ask-to-leave`, { reason: 'refresh_requested' })}
        >
          Ask to leave
        </ActionButton>
      </div>
    </Section>
  );
}

/** The API tokens of an organization, in clear, because an admin connects the workspace with one of them. */
export function Access({ organization: { id, tokens } }: { organization: OrganizationSeen }) {
  return (
    <Section title="Access">
      <p>
        An admin connects with one of these tokens: <code>/countermand connect</code>
      </p>
      <ul className="list">
        {tokens.map(({ token, kind, acceptedBy }) => (
          <li key={token} className="row">
            <div className="grow">
              {kind === 'rest' ? 'REST' : 'GraphQL'} <code>{token}</code>
              {acceptedBy && <p className="small">Only for {acceptedBy.join(', ')}.</p>}
            </div>
            <ActionButton label={`Copy ${token}`} action={() => navigator.clipboard.writeText(token)}>
              Copy
            </ActionButton>
          </li>
        ))}
      </ul>
      <ActionButton action={() => post('/orders/control/tokens', { kind: 'rest', organization: id })}>
        Issue another REST token
      </ActionButton>
    </Section>
  );
}

/** The subscriptions of an organization. An admin who connects gets a URL and a secret to enter here. */
export function Subscriptions({ organization: { id, subscriptions } }: { organization: OrganizationSeen }) {
  return (
    <Section title="Subscriptions">
      <p>
        The service posts the events of this organization to these URLs. An admin who connects a workspace
        gets a URL and a secret to enter here.
      </p>
      <ul className="list">
        {subscriptions.map((each) => (
          <li key={each.id} className="row">
            <span className="grow">{each.url}</span>
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

function SubscribeForm({ organization }: { organization: string }) {
  const { isBusy, run } = useAction();

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const [url, secret] = ['url', 'secret'].map((name) => String(new FormData(form).get(name)).trim());
    if (await run(() => post('/orders/control/subscriptions', { url, secret, organization }))) form.reset();
  }

  return (
    <form aria-busy={isBusy} onSubmit={submit}>
      <label className="row">
        URL
        <input className="grow" type="url" name="url" required autoComplete="off" />
      </label>
      <label className="row">
        Secret
        <input className="grow" name="secret" required autoComplete="off" spellCheck={false} />
      </label>
      <button type="submit" className="button">
        Add a subscription
      </button>
    </form>
  );
}
