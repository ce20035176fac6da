import type { Side } from './exchange.ts';
import type { TrafficFilter } from './traffic-filter.ts';

const SIDES: Record<Side, string> = {
  slack: 'Bot ↔ Slack',
  'order-service': 'Bot ↔ order service',
  people: 'People’s actions',
};

type Props = {
  filter: TrafficFilter;
  onChange: (filter: TrafficFilter) => void;
  /** The `n` of the newest entry; "Clear" hides the entries up to it. */
  newest: number;
};

/** The filters of the traffic list. */
export function TrafficFilters({ filter, onChange, newest }: Props) {
  return (
    <div className="inspector-filters">
      <div className="inspector-toggles">
        {(Object.keys(SIDES) as Side[]).map((side) => (
          <SideToggle key={side} side={side} filter={filter} onChange={onChange} />
        ))}
      </div>
      <div className="inspector-toggles">
        <input
          type="search"
          className="inspector-grow"
          placeholder="Search names and bodies"
          aria-label="Search names and bodies"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
        />
        <button
          type="button"
          className="inspector-button"
          aria-pressed={filter.isOnlyRefused}
          onClick={() => onChange({ ...filter, isOnlyRefused: !filter.isOnlyRefused })}
        >
          Only refused
        </button>
        <button
          type="button"
          className="inspector-button"
          onClick={() => onChange({ ...filter, clearedUpTo: newest })}
        >
          Clear
        </button>
      </div>
    </div>
  );
}

function SideToggle({ side, filter, onChange }: { side: Side } & Omit<Props, 'newest'>) {
  const { hidden } = filter;
  const isOn = !hidden.includes(side);
  const toggled = isOn ? [...hidden, side] : hidden.filter((each) => each !== side);
  return (
    <button
      type="button"
      className="inspector-button"
      aria-pressed={isOn}
      onClick={() => onChange({ ...filter, hidden: toggled })}
    >
      {SIDES[side]}
    </button>
  );
}
