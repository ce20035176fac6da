import type { Block } from '../../../slack/blocks/blocks.ts';
import { Element } from './elements/element.tsx';
import { Input } from './input.tsx';
import { PlainText, Text } from './text/plain-text.tsx';
import { RichText } from './text/rich-text.tsx';

/** A list of blocks. An element keeps its entered value for as long as its ids stay the same. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="blocks">
      {blocks.map((block) => (
        <div key={`${block.block_id} ${block.type}`} className={`block block-${block.type}`}>
          <BlockBody block={block} />
        </div>
      ))}
    </div>
  );
}

function BlockBody({ block }: { block: Block }) {
  switch (block.type) {
    case 'section':
      return <Section block={block} />;
    case 'header':
      return (
        <h3>
          <PlainText {...block.text} />
        </h3>
      );
    case 'context':
      return <Context block={block} />;
    case 'actions':
      return block.elements.map((element) => (
        <Element key={element.action_id} block_id={block.block_id ?? ''} element={element} />
      ));
    case 'input':
      return <Input block={block} />;
    case 'divider':
      return <hr />;
    case 'image':
      return <img src={block.image_url} alt={block.alt_text} />;
    case 'rich_text':
      return <RichText elements={block.elements} />;
    case 'table':
      return <Table {...block} />;
  }
}

function Context({ block }: { block: Extract<Block, { type: 'context' }> }) {
  return block.elements.map((each, index) =>
    each.type === 'image' ? (
      <img key={each.image_url} src={each.image_url} alt={each.alt_text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: texts of one block, which is drawn anew when it changes
      <Text key={index} {...each} />
    ),
  );
}

/** A section: a text, its fields and its accessory. */
function Section({ block }: { block: Extract<Block, { type: 'section' }> }) {
  const { text, fields, accessory, block_id = '' } = block;
  return (
    <>
      <div className="grow">
        {text && <Text {...text} />}
        {fields && (
          <div className="section-fields">
            {fields.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields of one block, which is drawn anew when it changes
              <Text key={index} {...each} />
            ))}
          </div>
        )}
      </div>
      {accessory?.type === 'image' && <img src={accessory.image_url} alt={accessory.alt_text} />}
      {accessory && accessory.type !== 'image' && (
        <Element block_id={block_id} element={accessory} field={{ 'aria-label': labelOf(text?.text) }} />
      )}
    </>
  );
}

const labelOf = (text = 'Choose') => text.replace(/[*_~`]/g, '');

/** A table block; its first row is the heading. */
function Table({ rows, column_settings }: Extract<Block, { type: 'table' }>) {
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
