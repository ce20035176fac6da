import { memo, useId, useState } from 'react';
import type { Exchange } from './exchange.ts';
import { faultOf, KIND_TEXT, pretty, statusOf, timeOf } from './exchange-text.ts';
import { refusal } from './refusal.ts';
import { subjectOf } from './subject.ts';

/** One exchange or action: a summary, and its bodies once it is open. Rendered again only when it changes. */
export const EntryRow = memo(function EntryRow({
  exchange,
  onOpen,
}: {
  exchange: Exchange;
  /** Must be the same function each time. */
  onOpen: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const bodies = useId();
  const reason = refusal(exchange);

  function toggle(): void {
    if (!isOpen) onOpen();
    setOpen(!isOpen);
  }

  return (
    <li className={`inspector-entry${reason === undefined ? '' : ' inspector-entry-refused'}`}>
      <button type="button" aria-expanded={isOpen} aria-controls={bodies} onClick={toggle}>
        <Summary exchange={exchange} />
        {reason !== undefined && <span className="inspector-reason">{reason}</span>}
      </button>
      <div id={bodies} hidden={!isOpen}>
        {isOpen && <EntryBodies exchange={exchange} />}
      </div>
    </li>
  );
});

function Summary({ exchange }: { exchange: Exchange }) {
  const { at, from, to, kind, name, ms, ended } = exchange;
  const fault = faultOf(exchange);
  return (
    <>
      <span className="inspector-line inspector-muted">
        <span>{at === undefined ? 'now' : timeOf(at)}</span>
        <span className="inspector-grow">
          {from} → {to}, {KIND_TEXT[kind]}
        </span>
        {ms !== undefined && <span>{ms} ms</span>}
      </span>
      <span className="inspector-line">
        <span className="inspector-grow">
          <strong>{name}</strong> {subjectOf(exchange)}
        </span>
        {fault !== '' && <span className="inspector-fault">fault: {fault}</span>}
        <span className={ended === undefined ? 'inspector-underway' : ''}>{statusOf(exchange)}</span>
      </span>
    </>
  );
}

/** The request and its result, as they went over HTTP or a WebSocket; secrets are masked. */
function EntryBodies({ exchange: { request, response, outcome, fault } }: { exchange: Exchange }) {
  return (
    <div className="inspector-bodies">
      <Body title="Request" value={request} />
      {response && <Body title={`Response, status ${response.status}`} value={response.body} />}
      {outcome !== undefined && <Body title="Outcome" value={outcome} />}
      {fault !== undefined && <Body title="Fault" value={fault} />}
    </div>
  );
}

function Body({ title, value }: { title: string; value: unknown }) {
  const text = pretty(value);
  return (
    <>
      <h3>{title}</h3>
      <pre>{text === '' ? '(empty)' : text}</pre>
    </>
  );
}
