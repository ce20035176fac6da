import { Fragment, type ReactNode, useState } from 'react';
import type { CancellationStatus, Order } from '../../../order-service/organization.ts';
import type { DeliverySeen, InspectorViewModel, OrganizationSeen } from '../../view-model/inspector.ts';
import { post } from '../api.ts';
import { Access, Connections, Subscriptions, Troubles } from './access.tsx';
import { ActionButton, Section } from './parts.tsx';

/** The order service as its own staff sees it: one customer at a time, and the troubles that are switched on. */
export function OrderService({ inspector }: { inspector: InspectorViewModel }) {
  const { organizations, deliveries, troubles, transport, sockets } = inspector;
  const [chosen, choose] = useState('acme');
  const organization = organizations.find(({ id }) => id === chosen);
  return (
    <>
      <section>
        <label className="row">
          Organization
          <select className="grow" value={chosen} onChange={({ target }) => choose(target.value)}>
            {organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </section>
      {organization && <Cancellations organization={organization} />}
      {organization && <Untouched organization={organization} />}
      <Deliveries deliveries={deliveries} />
      <Troubles troubles={troubles} />
      {transport === 'socket' && <Connections count={sockets} />}
      {organization && <Access organization={organization} />}
      {organization && <Subscriptions key={organization.id} organization={organization} />}
    </>
  );
}

/** A list, or a text in its place where it is empty. */
const List = ({ empty, children }: { empty: string; children: ReactNode[] }) =>
  children.length === 0 ? <p className="quiet">{empty}</p> : <ul className="list">{children}</ul>;

const STATUSES: Record<CancellationStatus, { text: string; tone: string; place: number }> = {
  pending: { text: 'waiting for review', tone: 'warned', place: 0 },
  approved: { text: 'approved', tone: 'good', place: 1 },
  denied: { text: 'denied', tone: 'bad', place: 1 },
  canceled: { text: 'cancelled at once', tone: '', place: 1 },
};

/** The cancellations: first those that wait for a decision of the order service, then those that changed last. */
function Cancellations({ organization: { id: organization, orders } }: { organization: OrganizationSeen }) {
  const requested = orders
    .flatMap(({ id, cancellation }) => (cancellation ? [{ id, ...cancellation }] : []))
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))
    .sort((one, other) => STATUSES[one.status].place - STATUSES[other.status].place);
  return (
    <Section title="Cancellations">
      <List empty="No cancellation was requested yet.">
        {requested.map(({ id, status, reason }) => (
          <li key={id} className="row">
            <div className="grow">
              <strong>{id}</strong>{' '}
              <span className={`badge ${STATUSES[status].tone}`}>{STATUSES[status].text}</span>
              <p className="small">{reason}</p>
            </div>
            <Decisions id={id} status={status} organization={organization} />
          </li>
        ))}
      </List>
    </Section>
  );
}

/** The buttons that decide a review, or open it again. */
function Decisions(props: { id: string; status: CancellationStatus; organization: string }) {
  const { id, status, organization } = props;
  const decide = (decision: string) => () =>
    post(`/orders/control/orders/${encodeURIComponent(id)}/${decision}`, { organization });
  if (status === 'canceled') return null;
  if (status !== 'pending')
    return (
      <ActionButton label={`Back to pending: ${id}`} action={decide('back-to-pending')}>
        Back to pending
      </ActionButton>
    );
  return (
    <>
      <ActionButton tone="primary" label={`Approve ${id}`} action={decide('approve')}>
        Approve
      </ActionButton>
      <ActionButton tone="danger" label={`Deny ${id}`} action={decide('deny')}>
        Deny
      </ActionButton>
    </>
  );
}

/** The orders without a cancellation, by the outcome that one would have, and the offers. */
function Untouched({ organization: { orders, offers } }: { organization: OrganizationSeen }) {
  const untouched = orders.filter(({ cancellation }) => cancellation === undefined);
  return (
    <Section title="Orders and offers">
      <Ids title="Cancelled at once" orders={untouched.filter(({ reviewed }) => !reviewed)} />
      <Ids title="Reviewed first" orders={untouched.filter(({ reviewed }) => reviewed)} />
      <List empty="No offers.">
        {offers.map(({ id, status, forbidden }) => (
          <li key={id}>
            <strong>{id}</strong> <span className="badge">{status.replaceAll('_', ' ')}</span>{' '}
            {forbidden && <small>callers can’t cancel it</small>}
          </li>
        ))}
      </List>
    </Section>
  );
}

const Ids = ({ title, orders }: { title: string; orders: Order[] }) => (
  <p className="ids">
    {title}:
    {orders.map(({ id }) => (
      <Fragment key={id}>
        {' '}
        <code>{id}</code>
      </Fragment>
    ))}
  </p>
);

/** The events that the service sends to the bot, newest first. */
function Deliveries({ deliveries }: { deliveries: DeliverySeen[] }) {
  return (
    <Section title="Deliveries">
      <List empty="No events yet. Cancelling an order that is reviewed sends one.">
        {deliveries.toReversed().map(({ id, topic, orderId, status, state, attempts }) => {
          const word = topic.split('.').at(-1);
          return (
            <li key={id} className="row">
              <div className="grow">
                <strong>{word}</strong> {orderId}, {status}
                <p className={state === 'given_up' ? 'error' : 'small'}>
                  {[state, ...attempts].join(', ').replaceAll('_', ' ')}
                </p>
              </div>
              <ActionButton
                label={`Redeliver “${word}” of ${orderId} (${id})`}
                action={() => post(`/orders/control/deliveries/${id}/redeliver`)}
              >
                Redeliver
              </ActionButton>
            </li>
          );
        })}
      </List>
    </Section>
  );
}
