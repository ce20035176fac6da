import type { Block } from '../../../slack/blocks/blocks.ts';
import { Element } from './elements/element.tsx';
import { Input } from './input.tsx';
import { Section } from './section.tsx';
import { Table } from './table.tsx';
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
