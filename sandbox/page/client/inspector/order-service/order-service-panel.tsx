import { useState } from 'react';
import type { InspectorViewModel, OrganizationSeen } from '../../../view-model/inspector.ts';
import { Access } from './access.tsx';
import { Connections } from './connections.tsx';
import { Deliveries } from './deliveries.tsx';
import { Offers } from './offers.tsx';
import { sortOrders } from './orders.ts';
import { Decided, WaitingForReview } from './reviews.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { Troubles } from './troubles.tsx';
import { UntouchedOrders } from './untouched-orders.tsx';

/** The order service as its own staff sees it: one customer at a time, and the troubles that are switched on. */
export function OrderServicePanel({ inspector }: { inspector: InspectorViewModel }) {
  const { organizations, deliveries, troubles, transport, sockets } = inspector;
  const [chosen, choose] = useState('acme');
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0];
  return (
    <>
      <label className="inspector-choice">
        Organization
        <select value={organization?.id} onChange={(event) => choose(event.target.value)}>
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {organization && <Orders organization={organization} />}
      <Deliveries deliveries={deliveries} />
      <Troubles troubles={troubles} />
      {transport === 'socket' && <Connections count={sockets} />}
      {organization && <Access organization={organization} />}
      {organization && <Subscriptions key={organization.id} organization={organization} />}
    </>
  );
}

function Orders({ organization: { id, orders, offers } }: { organization: OrganizationSeen }) {
  const { waiting, decided, untouched } = sortOrders(orders);
  return (
    <>
      <WaitingForReview orders={waiting} organization={id} />
      <Decided orders={decided} organization={id} />
      <UntouchedOrders orders={untouched} />
      <Offers offers={offers} />
    </>
  );
}
