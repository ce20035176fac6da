import type { Exchange } from './exchange.ts';
import { pretty } from './exchange-text.ts';

/** What was asked, and what result of it, as it went over the wire; secrets are masked. */
export function EntryBodies({ exchange: { request, response, outcome, fault } }: { exchange: Exchange }) {
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
