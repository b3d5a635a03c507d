import type { JsonNodes } from '../compare/json/json-nodes.js'
import { nodeAfter } from '../compare/json/json-nodes.js'
import { pointerTo } from '../json-pointer.js'
import { childrenAt, keyAt, typeAt } from './value-nodes.js'

/** The JSON Pointers of nodes, which do not descend, from the one at `root` on. Each child is looked at once. */
export function pointersTo(nodes: JsonNodes, root: number, wanted: readonly number[]): readonly string[] {
  const pointers: string[] = []
  const steps: (string | number)[] = []
  let next = 0
  function visit(node: number): void {
    while (next < wanted.length && wanted[next] === node) {
      pointers.push(pointerTo(steps))
      next += 1
    }
    const isObject = typeAt(nodes, node) === 'object'
    let index = -1
    for (const child of childrenAt(nodes, node)) {
      const target = wanted[next]
      if (target === undefined || target >= nodeAfter(nodes, node)) return
      index += 1
      if (target >= nodeAfter(nodes, child)) continue
      steps.push(isObject ? keyAt(nodes, child) : index)
      visit(child)
      steps.pop()
    }
  }
  visit(root)
  return pointers
}
