import {
  type BinaryOperationNode,
  FunctionNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  PrimitiveValueListNode,
  ValueListNode,
  ValueNode,
} from 'kysely'

/** The comparisons with one array that replace `in` and `not in`. */
const AS_ARRAY = new Map([
  ['in', { operator: '=', of: 'any' }],
  ['not in', { operator: '<>', of: 'all' }],
] as const)

/** Returns the values of a list; null if the operand is something else, such as a query. */
function valuesOf(node: BinaryOperationNode['rightOperand']): readonly unknown[] | null {
  if (PrimitiveValueListNode.is(node)) return node.values
  if (!ValueListNode.is(node)) return null
  const values = node.values.filter(ValueNode.is)
  return values.length === node.values.length ? values.map(({ value }) => value) : null
}

class ListsToArrays extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const changed = super.transformBinaryOperation(node)
    const operator = OperatorNode.is(changed.operator) ? changed.operator.operator : null
    const form = operator === 'in' || operator === 'not in' ? AS_ARRAY.get(operator) : undefined
    const values = form ? valuesOf(changed.rightOperand) : null
    if (!form || !values) return changed
    return {
      ...changed,
      operator: OperatorNode.create(form.operator),
      rightOperand: FunctionNode.create(form.of, [ValueNode.create([...values])]),
    }
  }
}

const transformer = new ListsToArrays()

/**
 * Rewrites `in` lists to one array each: `= any($1)`. A statement with `in ($1, $2, …)` has another text for each length, and
 * PostgreSQL prepares and keeps each text separately (named-statements.ts).
 */
export const listsAsArrays: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: ({ result }) => Promise.resolve(result),
}
