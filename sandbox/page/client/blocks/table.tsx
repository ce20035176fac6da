import type { Block } from '../../../slack/blocks/blocks.ts';
import { RichText } from './text/rich-text.tsx';

/** A table block; its first row is the heading. */
export function Table({ rows, column_settings }: Extract<Block, { type: 'table' }>) {
  const [heading = [], ...rest] = rows;
  const align = (column: number) => ({ textAlign: column_settings?.[column]?.align ?? 'left' }) as const;
  return (
    <table>
      <thead>
        <tr>
          {heading.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a table is drawn anew when it changes
            <th key={column} scope="col" style={align(column)}>
              <Cell cell={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rest.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a table is drawn anew when it changes
          <tr key={index}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a table is drawn anew when it changes
              <td key={column} style={align(column)}>
                <Cell cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type CellOf = Extract<Block, { type: 'table' }>['rows'][number][number];

const Cell = ({ cell }: { cell: CellOf }) =>
  cell.type === 'raw_text' ? cell.text : <RichText elements={cell.elements} />;
