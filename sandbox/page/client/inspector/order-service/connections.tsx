import { post } from '../../api.ts';
import { ActButton } from '../parts/action-button.tsx';
import { Section } from '../parts/section.tsx';
import { connectionsText } from '../transport-text.ts';

/** The connections of Socket Mode, and what can happen to them. */
export function Connections({ count }: { count: number }) {
  return (
    <Section title="Slack connections">
      <p>The bot has {connectionsText(count)} to Slack.</p>
      <div className="backstage-buttons">
        <ActButton label="Drop the connections" act={() => post('/slack/control/sockets/drop')}>
          Drop
        </ActButton>
        <ActButton
          label="Ask to leave the connections"
          act={() => post('/slack/control/sockets/ask-to-leave', { reason: 'refresh_requested' })}
        >
          Ask to leave
        </ActButton>
      </div>
      <p className="backstage-muted">The bot opens another one either way.</p>
    </Section>
  );
}
