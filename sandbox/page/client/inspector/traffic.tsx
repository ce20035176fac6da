/** The requests between the bot, Slack and the order service, and the actions of people, newest last. */
import { memo, useEffect, useRef, useState } from 'react';
import type { JournalEntry } from '../../../lib/http/journal.ts';
import {
  type Begun,
  contains,
  type Exchange,
  fieldsOf,
  pretty,
  refusal,
  statusOf,
  subjectOf,
  timeOf,
} from './exchange.ts';

export function Traffic({ underway, traffic }: { underway: Begun[]; traffic: JournalEntry[] }) {
  const [text, setText] = useState('');
  const [isOnlyRefused, setOnlyRefused] = useState(false);
  const isWanted = (exchange: Exchange) =>
    contains(exchange, text) && (!isOnlyRefused || refusal(exchange) !== undefined);
  const entries = traffic.filter(isWanted);
  const begun = underway.filter(isWanted);
  return (
    <div className="column">
      <div className="row filters">
        <input
          type="search"
          className="grow"
          placeholder="Search names and bodies"
          aria-label="Search names and bodies"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <label className="row">
          <input
            type="checkbox"
            checked={isOnlyRefused}
            onChange={({ target }) => setOnlyRefused(target.checked)}
          />
          Only refused
        </label>
      </div>
      {entries.length + begun.length === 0 && (
        <p className="quiet">
          {text || isOnlyRefused ? 'No traffic matches the filters.' : 'No traffic yet.'}
        </p>
      )}
      <div className="traffic scroll">
        <ol className="list">
          {entries.map((each) => (
            <Entry key={each.n} exchange={each} />
          ))}
          {begun.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what is under way has nothing else to tell it apart
            <Entry key={`begun-${index}`} exchange={each} />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** One exchange or action: a summary, and its bodies once it is open. Rendered again only when it changes. */
const Entry = memo(function Entry({ exchange }: { exchange: Exchange }) {
  const [isOpen, setOpen] = useState(false);
  const { at, from, to, kind, name, ms, request, response, outcome, fault } = exchange;
  const reason = refusal(exchange);
  return (
    <li className={reason === undefined ? '' : 'refused'}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="row small">
            {timeOf(at)}
            <span className="grow">
              {from} → {to}, {kind.replaceAll('_', ' ')}
            </span>
            {ms !== undefined && `${ms} ms`}
          </span>
          <span className="row">
            <span className="grow">
              <strong>{name}</strong> {subjectOf(exchange)}
            </span>
            {fault !== undefined && (
              <span className="badge warned">fault: {String(fieldsOf(fault)['type'])}</span>
            )}
            {statusOf(exchange)}
          </span>
          {reason !== undefined && <span className="reason">{reason}</span>}
        </summary>
        {isOpen && (
          <Bodies
            bodies={{
              Request: request,
              ...(response && { [`Response, status ${response.status}`]: response.body }),
              ...(outcome !== undefined && { Outcome: outcome }),
              ...(fault !== undefined && { Fault: fault }),
            }}
          />
        )}
      </details>
    </li>
  );
});

function Bodies({ bodies }: { bodies: Record<string, unknown> }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.previousElementSibling?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={top} className="bodies">
      {Object.entries(bodies).map(([title, body]) => (
        <section key={title}>
          <h3>{title}</h3>
          <pre>{pretty(body) || '(empty)'}</pre>
        </section>
      ))}
    </div>
  );
}
