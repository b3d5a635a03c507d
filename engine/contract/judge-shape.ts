import { firstByte, type JsonNodes, keyText, nodeAfter } from '../compare/json/json-nodes.js'
import { ignoredId } from '../compare/json/value-ids.js'
import { type JsonType, typeOf } from '../json-bytes/json-bytes.js'
import { pointerTo } from '../json-pointer.js'
import type { BreakRule, Findings } from './findings.js'

/** The types of values at one place, the members of those that are objects, and what all items of arrays are. */
interface Shape {
  readonly types: Set<JsonType>
  readonly members: Map<number, Shape>
  items: Shape | null
}

function emptyShape(): Shape {
  return { types: new Set(), members: new Map(), items: null }
}

/** Adds what a value is to a shape. */
function extend(nodes: JsonNodes, node: number, shape: Shape): void {
  const type = typeOf(firstByte(nodes, node))
  shape.types.add(type)
  if (type !== 'object' && type !== 'array') return
  const end = nodeAfter(nodes, node)
  for (let child = node + 1; child < end; child = nodeAfter(nodes, child)) {
    if (nodes.ids[child] === ignoredId) continue
    if (type === 'array') {
      shape.items ??= emptyShape()
      extend(nodes, child, shape.items)
      continue
    }
    const key = nodes.keys[child] ?? 0
    const member = shape.members.get(key) ?? emptyShape()
    shape.members.set(key, member)
    extend(nodes, child, member)
  }
}

function shapeOf(nodes: JsonNodes, node: number): Shape {
  const shape = emptyShape()
  extend(nodes, node, shape)
  return shape
}

const namesOf = ({ types }: Shape): string => [...types].sort().join(', ')

/**
 * Compares what two values consist of: types, and the members that there are. All items of an array are one place, `*`;
 * an array without items fits any.
 */
export function judgeShape(nodes: JsonNodes, findings: Findings): void {
  const steps: string[] = []
  const report = (rule: BreakRule, one: Shape | undefined, other: Shape | undefined): void =>
    findings.add(() => ({
      ...{ pointer: pointerTo(steps), rule },
      baseline: one === undefined ? null : namesOf(one),
      candidate: other === undefined ? null : namesOf(other),
    }))
  function visit(one: Shape, other: Shape): void {
    if (namesOf(one) !== namesOf(other)) report('shape', one, other)
    for (const key of new Set([...one.members.keys(), ...other.members.keys()])) {
      const [before, after] = [one.members.get(key), other.members.get(key)]
      steps.push(keyText(nodes, key))
      if (before === undefined || after === undefined)
        report(before === undefined ? 'added' : 'removed', before, after)
      else visit(before, after)
      steps.pop()
    }
    if (one.items === null || other.items === null) return
    steps.push('*')
    visit(one.items, other.items)
    steps.pop()
  }
  const isIgnored = nodes.ids[0] === ignoredId
  if (!isIgnored) visit(shapeOf(nodes, 0), shapeOf(nodes, nodes.secondNode))
}
