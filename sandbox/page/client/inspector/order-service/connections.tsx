import { post } from '../../api.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Section } from '../parts/section.tsx';
import { connectionsText } from '../transport-text.ts';

/** The connections of Socket Mode, with buttons that drop or close them. */
export function Connections({ count }: { count: number }) {
  return (
    <Section title="Slack connections">
      <p>The bot has {connectionsText(count)} to Slack.</p>
      <div className="inspector-buttons">
        <ActionButton label="Drop the connections" action={() => post('/slack/control/sockets/drop')}>
          Drop
        </ActionButton>
        <ActionButton
          label="Ask to leave the connections"
          action={() => post('/slack/control/sockets/ask-to-leave', { reason: 'refresh_requested' })}
        >
          Ask to leave
        </ActionButton>
      </div>
      <p className="inspector-muted">The bot then opens another connection.</p>
    </Section>
  );
}
