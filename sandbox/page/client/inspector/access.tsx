/** The connections between the order service, Slack and the bot, and where the bot is installed. */
import type { FormEvent } from 'react';
import type { InspectorViewModel, OrganizationSeen } from '../../view-model/inspector.ts';
import { post, remove } from '../api.ts';
import { ActionButton, Section, useAction } from './parts.tsx';

export function Connections({ count }: { count: number }) {
  const socket = '/slack/control/sockets';
  return (
    <Section title="Slack connections">
      <p>
        Countermand has {count === 1 ? '1 connection' : `${count} connections`} to Slack. It replaces a
        connection that ends.
      </p>
      <div className="row">
        <ActionButton label="Drop the connections" action={() => post(`${socket}/drop`)}>
          Drop
        </ActionButton>
        <ActionButton action={() => post(`${socket}/ask-to-leave`, { reason: 'refresh_requested' })}>
          Ask to reconnect
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
        An admin connects a workspace with <code>/countermand connect</code> and one of these tokens.
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

type Place = InspectorViewModel['places'][number];

const STATUS: Record<Place['status'], string> = {
  active: 'Countermand is installed.',
  revoked: 'Countermand’s token was revoked.',
  uninstalled: 'Countermand was uninstalled.',
  org_wide: 'Countermand is installed in the whole organization.',
  never: 'Countermand is not installed.',
};

export function Workspaces({ inspector: { places } }: { inspector: InspectorViewModel }) {
  return places.map(({ id, name, status, installUrl }) => {
    const isActive = status === 'active';
    const install = isActive ? 'Install again' : 'Install';
    const uninstall = () => post('/slack/control/admin/uninstall', { team: id });
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
            <ActionButton tone="danger" label={`Uninstall from ${name}`} action={uninstall}>
              Uninstall
            </ActionButton>
          )}
        </div>
      </Section>
    );
  });
}
