import { openBrace, stringBetween, stringEnd, valueEnd } from '../../../json-bytes/json-bytes.js'
import { childValue, eachChild, firstChild, isContainer, nextChild } from '../../../json-bytes/json-walk.js'
import type { Condition, JsonPath, Operand, Segment, Selector } from './json-path.js'
import { createPatterns } from './path-pattern.js'
import { compareValues, matchesPattern, type PathValue, valueAt } from './path-values.js'

/** The place of a child: an index, or for a member -1 minus where its key begins. */
export type PathStep = number

/**
 * Finds the nodes of a query in compact JSON, in the order of RFC 9535, and yields where each begins. While it is
 * suspended, `steps` are those to the node. Of repeated keys, a name selects all.
 */
export class PathEvaluation {
  readonly steps: PathStep[] = []
  readonly bytes: Uint8Array
  private readonly patternOf: ReturnType<typeof createPatterns>

  constructor(bytes: Uint8Array, patternOf = createPatterns()) {
    this.bytes = bytes
    this.patternOf = patternOf
  }

  *nodes(query: JsonPath, current = 0): Generator<number> {
    yield* this.select(query.segments, 0, query.isRelative ? current : 0)
  }

  private *select(segments: readonly Segment[], index: number, node: number): Generator<number> {
    const segment = segments[index]
    if (segment === undefined) yield node
    else if (segment.isDescendant) yield* this.descend(segments, index, node)
    else yield* this.apply(segments, index, node)
  }

  private *apply(segments: readonly Segment[], index: number, node: number): Generator<number> {
    for (const selector of segments[index]?.selectors ?? [])
      for (const child of this.selected(selector, node)) {
        this.steps.push(child.step)
        yield* this.select(segments, index + 1, child.at)
        this.steps.pop()
      }
  }

  private *descend(segments: readonly Segment[], index: number, node: number): Generator<number> {
    yield* this.apply(segments, index, node)
    for (const child of this.children(node)) {
      if (!isContainer(this.bytes[child.at])) continue
      this.steps.push(child.step)
      yield* this.descend(segments, index, child.at)
      this.steps.pop()
    }
  }

  /** The children of a node; none for what is no object and no array. */
  private *children(node: number): Generator<{ readonly step: PathStep; readonly at: number }> {
    const { bytes } = this
    if (!isContainer(bytes[node])) return
    let item = 0
    for (let child = firstChild(this, node); child !== null; item += 1) {
      const at = childValue(this, node, child)
      yield { step: child === at ? item : -1 - child, at }
      child = nextChild(this, valueEnd(bytes, at))
    }
  }

  private *selected(
    selector: Selector,
    node: number,
  ): Generator<{ readonly step: PathStep; readonly at: number }> {
    const isObject = this.bytes[node] === openBrace
    switch (selector.kind) {
      case 'wildcard':
        yield* this.children(node)
        return
      case 'name':
        if (isObject)
          for (const child of this.children(node)) if (this.keyOf(child.step) === selector.name) yield child
        return
      case 'index':
        if (!isObject) yield* this.item(node, selector.index)
        return
      case 'slice':
        if (!isObject) yield* this.slice(node, selector)
        return
      case 'filter':
        for (const child of this.children(node)) if (this.holds(selector.condition, child.at)) yield child
        return
      default:
        selector satisfies never
    }
  }

  /** The key of a member by its step. */
  keyOf(step: PathStep): string {
    const start = -1 - step
    return stringBetween(this.bytes, start, stringEnd(this.bytes, start))
  }

  /** How long the keys on the way to the node are, together. */
  get keyBytes(): number {
    const starts = this.steps.filter((step) => step < 0).map((step) => -1 - step)
    return starts.reduce((sum, start) => sum + stringEnd(this.bytes, start) - start, 0)
  }

  private count(node: number): number {
    let count = 0
    const visit = (): undefined => {
      count += 1
    }
    if (isContainer(this.bytes[node])) eachChild(this, node, visit)
    return count
  }

  private *item(node: number, index: number): Generator<{ readonly step: PathStep; readonly at: number }> {
    const wanted = index < 0 ? index + this.count(node) : index
    for (const child of this.children(node))
      if (child.step === wanted) {
        yield child
        return
      }
  }

  private *slice(
    node: number,
    { start, end, step }: Extract<Selector, { kind: 'slice' }>,
  ): Generator<{ readonly step: PathStep; readonly at: number }> {
    if (step === 0) return
    const length = this.count(node)
    const at = (index: number): number => (index < 0 ? index + length : index)
    const within = (index: number, least: number, most: number): number =>
      Math.min(Math.max(index, least), most)
    if (step > 0) {
      const [lower, upper] = [within(at(start ?? 0), 0, length), within(at(end ?? length), 0, length)]
      for (const child of this.children(node)) {
        if (child.step >= upper) return
        if (child.step >= lower && (child.step - lower) % step === 0) yield child
      }
      return
    }
    const upper = within(start === null ? length - 1 : at(start), -1, length - 1)
    const lower = end === null ? -1 : within(at(end), -1, length - 1)
    const chosen = new Uint32Array(Math.max(0, Math.ceil((upper - lower) / -step)))
    let count = 0
    for (const child of this.children(node))
      if (child.step > lower && child.step <= upper && (upper - child.step) % -step === 0)
        chosen[count++] = child.at
    for (let last = count - 1; last >= 0; last -= 1)
      yield { step: upper + (count - 1 - last) * step, at: chosen[last] ?? 0 }
  }

  private holds(condition: Condition, current: number): boolean {
    switch (condition.kind) {
      case 'or':
        return condition.parts.some((part) => this.holds(part, current))
      case 'and':
        return condition.parts.every((part) => this.holds(part, current))
      case 'not':
        return !this.holds(condition.part, current)
      case 'exists':
        return this.within(condition.query, current).next().done !== true
      case 'compare':
        return compareValues(
          this.bytes,
          condition.operator,
          this.valueOf(condition.left, current),
          this.valueOf(condition.right, current),
        )
      case 'match':
        return matchesPattern(
          this.valueOf(condition.text, current),
          this.valueOf(condition.pattern, current),
          condition.isWhole,
          this.patternOf,
        )
    }
  }

  /** The nodes of a query in a filter, which do not count as steps. */
  private within(query: JsonPath, current: number): Generator<number> {
    return new PathEvaluation(this.bytes, this.patternOf).nodes(query, current)
  }

  private valueOf(operand: Operand, current: number): PathValue {
    switch (operand.kind) {
      case 'literal':
        return operand.value
      case 'single': {
        const [node, more] = this.within(operand.query, current)
        return node === undefined || more !== undefined ? null : valueAt(this.bytes, node)
      }
      case 'count': {
        let count = 0
        for (const _node of this.within(operand.query, current)) count += 1
        return { type: 'number', spelling: String(count) }
      }
      case 'length':
        return this.lengthOf(this.valueOf(operand.of, current))
    }
  }

  private lengthOf(value: PathValue): PathValue {
    if (value?.type === 'string') return { type: 'number', spelling: String(Array.from(value.text).length) }
    return value?.type === 'container' ? { type: 'number', spelling: String(this.count(value.at)) } : null
  }
}
