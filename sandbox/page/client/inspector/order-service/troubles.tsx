import type { Trouble } from '../../../view-model/troubles.ts';
import { post } from '../../api.ts';
import { Section } from '../parts/section.tsx';
import { useAction } from '../parts/use-action.ts';

const LABELS: Record<Trouble, string> = {
  slow: 'Answers after 4 seconds',
  down: 'Is down (nothing listens)',
  error: 'Answers 500',
  rate_limited: 'Answers 429, with Retry-After of 5 s',
  unanswered: 'Loses its answers (drops the connection after receiving)',
};

/** Switches for the troubles of the order service; each stays on until it is switched off. */
export function Troubles({ troubles }: { troubles: Record<Trouble, boolean> }) {
  return (
    <Section title="Troubles">
      {(Object.keys(LABELS) as Trouble[]).map((trouble) => (
        <TroubleSwitch key={trouble} trouble={trouble} isOn={troubles[trouble]} />
      ))}
      <p className="inspector-muted">
        If several are on, the one that was switched on first applies. While the service is down, nothing
        answers.
      </p>
    </Section>
  );
}

function TroubleSwitch({ trouble, isOn }: { trouble: Trouble; isOn: boolean }) {
  const { isBusy, run } = useAction();
  const toggle = () => run(() => post('/orders/control/troubles', { trouble, isOn: !isOn }));
  return (
    <label className="inspector-switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-busy={isBusy}
        onChange={() => void toggle()}
      />
      {LABELS[trouble]}
    </label>
  );
}
