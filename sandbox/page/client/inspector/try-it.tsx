import type { ReactNode } from 'react';
import type { InspectorViewModel } from '../../view-model/inspector.ts';

export function TryIt({ inspector }: { inspector: InspectorViewModel | null }) {
  const hasSeveral = inspector !== null && inspector.places.length > 0;
  // An admin who connects a workspace also subscribes to the events.
  const isConnected = inspector?.organizations.some(({ subscriptions }) => subscriptions.length > 0) ?? true;
  return (
    <section>
      <h2>What you can try</h2>
      <p>
        {hasSeveral
          ? 'These local Slack workspaces are yours. Install Countermand in them; an order service runs beside them.'
          : 'This local Slack workspace is yours, with Countermand and an order service.'}{' '}
        Nothing here is real, so try anything.
      </p>
      <ol className="steps">
        {hasSeveral && INSTALL}
        {!isConnected && CONNECT}
        {SUGGESTIONS}
      </ol>
    </section>
  );
}

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li>
    <h3>{title}</h3>
    <p>{children}</p>
  </li>
);

const INSTALL = (
  <Step title="Install Countermand">
    Choose a workspace on the left, and press “Install Countermand”. On the page that opens press “Add to
    Slack”, then allow or deny it. You get a direct message when Countermand is installed. The tab
    “Workspaces” has buttons that uninstall it.
  </Step>
);

const CONNECT = (
  <Step title="Connect the workspace">
    Act as Olga, an admin, and type <code>/countermand connect</code>. Take a REST token from “Access” under
    “Order service”. You get a URL and a secret: enter them under “Subscriptions”.
  </Step>
);

const SUGGESTIONS = (
  <>
    <Step title="Cancel an order">
      In #support point at Ben’s message about order A-1001, press ⋮, and choose “Cancel an order”. Choose a
      reason, and press “Request cancellation”. Open the replies under the message: the order is cancelled.
    </Step>
    <Step title="Let the order service review it">
      Type <code>/cancel-order A-2001</code>, choose a reason, and press “Request cancellation”: the service
      reviews this order first. Open the replies under the card. Then press Approve under “Order service”, and
      watch the thread.
    </Step>
    <Step title="Let colleagues approve it first">
      Act as Olga, an admin, and type <code>/countermand settings</code>. Press Change beside “Cancel an
      order”, choose “The members of a user group” and the group @approvers, press Save, and close the
      settings. Act as Ana, type <code>/cancel-order A-1002</code>, choose a reason, and press “Request
      cancellation”: nothing is sent yet. Now act as Cara, and react with ✅ to the card.
    </Step>
    <Step title="Lose an answer">
      Under “Order service” switch on “Loses its answers”, type <code>/cancel-order A-1003</code>, choose a
      reason, and press “Request cancellation”. The outcome is then unknown, and nothing is sent twice. The
      card gets a button that records the outcome. (If the request needs approval, let a colleague approve it
      first.) Switch it off again afterwards.
    </Step>
    <Step title="See every request">
      The tab “Traffic” shows every request between Slack, the bot and the order service, with its bodies. A
      refused request is red, and shows the reason.
    </Step>
  </>
);
