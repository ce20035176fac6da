/**
 * Finds the mutants of a source: small mistakes of the kind that a maintainer makes. Parsed by rolldown's parser, whose
 * tree is ESTree with TypeScript (https://github.com/estree/estree).
 */
import { parseAst } from 'rolldown/parseAst';

export const KINDS = ['condition', 'comparison', 'constant', 'statement', 'await', 'arguments'] as const;
export type Kind = (typeof KINDS)[number];

/** A change of the source from `start` to `end`. `within`: the function of the module around it; undefined: none. */
export type Mutant = {
  kind: Kind;
  start: number;
  end: number;
  /** The text that stands there, and the one that replaces it. */
  from: string;
  to: string;
  within: string | undefined;
};

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
type Found = Pick<Mutant, 'kind' | 'start' | 'end' | 'to'>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Each comparison, and the mistake that is nearest to it. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** A type changes nothing when the bot runs, and an import no decision. */
const IGNORED = /^(TS(?!AsExpression|NonNull|Satisfies)|Import)/;
/** A line of the log is for operators, and no test promises its fields. */
const LOG = /^(\w+\.)*log\.\w+\(/;

/** Finds all mutants of a source, in the order in which they stand there. @throws if it is no TypeScript */
export function mutantsOf(source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const text = ({ start, end }: Pick<Node, 'start' | 'end'>) => source.slice(start, end);
  const visit = (node: Node, within: string | undefined): void => {
    if (IGNORED.test(node.type) || LOG.test(text(node))) return;
    for (const found of AT[node.type]?.(node, text) ?? [])
      mutants.push({ ...found, from: text(found), within });
    const inside = within ?? nameOf(node);
    for (const value of Object.values(node).flat()) if (isNode(value)) visit(value, inside);
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, undefined);
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The name under which V8 counts the calls of a function: its own, or that of the variable or member that holds it. */
function nameOf(node: Node): string | undefined {
  const { id, key, init, value, type } = node;
  const isHolder = type === 'FunctionDeclaration' || isFunction(init) || isFunction(value);
  const named = isHolder ? (id ?? key) : undefined;
  return isNode(named) ? String(named['name']) : undefined;
}

const isFunction = (value: unknown): boolean => isNode(value) && /Function/.test(value.type);

type Text = (part: Node) => string;

/** The mutants at a node, by its type. */
const AT: Readonly<Record<string, (node: Node, text: Text) => Found[]>> = {
  IfStatement: (node, text) => [...negated(node, text), ...(node['alternate'] ? [] : [dropped(node)])],
  ConditionalExpression: negated,
  LogicalExpression: (node, text) => withOperator(node, text, 'condition', LOGICAL),
  BinaryExpression: (node, text) => withOperator(node, text, 'comparison', COMPARISONS),
  Literal({ value, start, end }) {
    const other = otherThan(value);
    return other === undefined ? [] : [{ kind: 'constant', start, end, to: String(other) }];
  },
  ExpressionStatement: (node) => (node['directive'] ? [] : [dropped(node)]),
  AwaitExpression: ({ argument, start, end }, text) => [
    { kind: 'await', start, end, to: text(argument as Node) },
  ],
  CallExpression: swapped,
};

/** A long time, or a large size: nobody can tell it from the same with one more. */
const LARGE = 1_000;

function otherThan(value: unknown): boolean | number | undefined {
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'number') return undefined;
  return value < LARGE ? value + 1 : value * 2;
}

const dropped = ({ start, end }: Node): Found => ({ kind: 'statement', start, end, to: ';' });

function negated(node: Node, text: Text): Found[] {
  const { test } = node as Node & { test: Node };
  return [{ kind: 'condition', start: test.start, end: test.end, to: `!(${text(test)})` }];
}

function withOperator(node: Node, text: Text, kind: Kind, others: Readonly<Record<string, string>>): Found[] {
  const { left, right, operator, start, end } = node as Node & { left: Node; right: Node; operator: string };
  const other = others[operator];
  return other ? [{ kind, start, end, to: `(${text(left)}) ${other} (${text(right)})` }] : [];
}

/** Functions of which the order of the arguments does not matter. */
const COMMUTATIVE = /^Math\.(min|max)$/;

function swapped(node: Node, text: Text): Found[] {
  if (COMMUTATIVE.test(text(node['callee'] as Node))) return [];
  const [first, second] = node['arguments'] as Node[];
  if (!first || !second || [first, second].some(({ type }) => type === 'SpreadElement')) return [];
  if (text(first) === text(second)) return [];
  const { start } = first;
  const { end } = second;
  return [{ kind: 'arguments', start, end, to: `${text(second)}, ${text(first)}` }];
}
