/** The order service as its own staff sees it: one customer at a time, and the faults that are switched on. */
import { Fragment, type ReactNode, useState } from 'react';
import type { Order, RequestStatus, ReviewedKind } from '../../../order-service/organization.ts';
import type {
  DeliverySeen,
  InspectorViewModel,
  OrganizationSeen,
  PageFault,
} from '../../view-model/inspector.ts';
import { post } from '../api.ts';
import { Access, Connections, Subscriptions } from './access.tsx';
import { ActionButton, Section, useAction } from './parts.tsx';

export function OrderService({ inspector }: { inspector: InspectorViewModel }) {
  const { organizations, deliveries, faults, transport, sockets } = inspector;
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
      {organization && <Requests organization={organization} />}
      {organization && <Untouched organization={organization} />}
      <Deliveries deliveries={deliveries} />
      <Faults faults={faults} />
      {transport === 'socket' && <Connections count={sockets} />}
      {organization && <Access organization={organization} />}
      {organization && <Subscriptions key={organization.id} organization={organization} />}
    </>
  );
}

const List = ({ empty, children }: { empty: string; children: ReactNode[] }) =>
  children.length === 0 ? <p className="quiet">{empty}</p> : <ul className="list">{children}</ul>;

const STATUSES: Record<RequestStatus, { text: string; tone: string; rank: number }> = {
  pending: { text: 'waiting for review', tone: 'warned', rank: 0 },
  approved: { text: 'approved', tone: 'good', rank: 1 },
  denied: { text: 'denied', tone: 'bad', rank: 1 },
  canceled: { text: 'done at once', tone: '', rank: 1 },
};

/** The requests about orders: first those that wait for a decision of the order service, then those that changed last. */
function Requests({ organization: { id: organization, orders } }: { organization: OrganizationSeen }) {
  const requested = orders
    .flatMap(({ id, requests }) =>
      Object.entries(requests).map(([kind, request]) => ({ id, kind: kind as ReviewedKind, ...request })),
    )
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))
    .sort((one, other) => STATUSES[one.status].rank - STATUSES[other.status].rank);
  return (
    <Section title="Requests">
      <List empty="Nothing has been requested yet.">
        {requested.map(({ id, kind, status, reason }) => (
          <li key={`${kind} ${id}`} className="row">
            <div className="grow">
              <strong>{id}</strong> {wordsOf(kind)}{' '}
              <span className={`badge ${STATUSES[status].tone}`}>{STATUSES[status].text}</span>
              <p className="small">{reason}</p>
            </div>
            <Decisions id={id} kind={kind} status={status} organization={organization} />
          </li>
        ))}
      </List>
    </Section>
  );
}

const wordsOf = (kind: ReviewedKind) => kind.replaceAll('_', ' ');

function Decisions(props: { id: string; kind: ReviewedKind; status: RequestStatus; organization: string }) {
  const { id, kind, status, organization } = props;
  const named = `${id}, ${wordsOf(kind)}`;
  const decide = (decision: string) => () =>
    post(`/orders/control/orders/${encodeURIComponent(id)}/${decision}`, { kind, organization });
  if (status === 'canceled') return null;
  if (status !== 'pending')
    return (
      <ActionButton label={`Back to pending: ${named}`} action={decide('back-to-pending')}>
        Back to pending
      </ActionButton>
    );
  return (
    <>
      <ActionButton tone="primary" label={`Approve ${named}`} action={decide('approve')}>
        Approve
      </ActionButton>
      <ActionButton tone="danger" label={`Deny ${named}`} action={decide('deny')}>
        Deny
      </ActionButton>
    </>
  );
}

/** The orders without a request, by the outcome that one would have, and the offers. */
function Untouched({ organization: { orders, offers } }: { organization: OrganizationSeen }) {
  const untouched = orders.filter(({ requests }) => Object.keys(requests).length === 0);
  return (
    <Section title="Orders and offers">
      <Ids title="Decided at once" orders={untouched.filter(({ reviewed }) => !reviewed)} />
      <Ids title="Reviewed first" orders={untouched.filter(({ reviewed }) => reviewed)} />
      <List empty="No offers.">
        {offers.map(({ id, status, forbidden }) => (
          <li key={id}>
            <strong>{id}</strong> <span className="badge">{status.replaceAll('_', ' ')}</span>{' '}
            {forbidden && <small>no permission to cancel</small>}
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
                label={`Send again: “${word}” of ${orderId} (${id})`}
                action={() => post(`/orders/control/deliveries/${id}/redeliver`)}
              >
                Send again
              </ActionButton>
            </li>
          );
        })}
      </List>
    </Section>
  );
}

const FAULTS: Record<PageFault, string> = {
  slow: 'Answers after 4 seconds',
  down: 'Is down (nothing listens)',
  error: 'Answers 500',
  rate_limited: 'Answers 429, with Retry-After of 5 s',
  unanswered: 'Loses its answers (drops the connection after receiving)',
};

/** Switches for the faults of the order service; each stays on until it is switched off. */
function Faults({ faults }: { faults: Record<PageFault, boolean> }) {
  const { isBusy, run } = useAction();
  return (
    <Section title="Faults">
      {(Object.keys(FAULTS) as PageFault[]).map((fault) => (
        <label key={fault} className="row">
          <input
            type="checkbox"
            role="switch"
            checked={faults[fault]}
            aria-checked={faults[fault]}
            aria-busy={isBusy}
            onChange={({ target }) =>
              void run(() => post('/orders/control/faults', { fault, isOn: target.checked }))
            }
          />
          {FAULTS[fault]}
        </label>
      ))}
      <p className="quiet">If several are on, only the one switched on first applies.</p>
    </Section>
  );
}
