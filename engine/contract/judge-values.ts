import {
  type ArrayItems,
  childrenOf,
  firstByte,
  idsOf,
  isScalar,
  itemAt,
  itemsOf,
  type JsonNodes,
  keyNumbers,
  keyText,
  memberOf,
  nodeAfter,
  valueText,
} from '../compare/json/json-nodes.js'
import { ignoredId } from '../compare/json/value-ids.js'
import { createTupleIds } from '../compare/key-names.js'
import { openBrace, openBracket, quote } from '../json-bytes/json-bytes.js'
import { pointerTo } from '../json-pointer.js'
import { stringAt } from '../schema/value-nodes.js'
import type { Contract } from './contract.js'
import { type BreakRule, type Findings, shortened } from './findings.js'
import { brokenChange, brokenValue, type RuledValue } from './rule-checks.js'
import type { RuleState } from './rule-states.js'
import { unorderedIds } from './unordered-ids.js'
import { type ItemVisitor, walkItems, walkKeyedItems } from './walk-items.js'

/** A value as the rules look at it. */
function ruledValue(nodes: JsonNodes, node: number): RuledValue {
  const first = firstByte(nodes, node)
  const isNumber = first === 0x2d || (first >= 0x30 && first <= 0x39)
  return {
    number: isNumber ? valueText(nodes, node) : null,
    text: first === quote ? stringAt(nodes, node) : null,
  }
}

/** Judges two values of JSON by their nodes: what differs, and what the rules say of the second. */
export class ValueJudge {
  private readonly nodes: JsonNodes
  private readonly findings: Findings
  private readonly order: Contract['order']
  /** By which items of arrays are the same. */
  private readonly itemIds: Uint32Array
  /** The steps to what is being compared, in the candidate. */
  private readonly steps: (string | number)[] = []
  private readonly keyTexts = new Map<number, string>()

  constructor(nodes: JsonNodes, findings: Findings, order: Contract['order']) {
    this.nodes = nodes
    this.findings = findings
    this.order = order
    this.itemIds = order === 'insignificant' ? unorderedIds(nodes) : nodes.ids
  }

  /** Looks at every value of the candidate that rules are about, also at those that are as before. */
  checkRules(node: number, state: RuleState): void {
    const { nodes } = this
    if (nodes.ids[node] === ignoredId) return
    const broken = state.rules.length === 0 ? null : brokenValue(state.rules, ruledValue(nodes, node))
    if (broken !== null) this.report(broken, null, node)
    if (!state.isOpen || isScalar(nodes, node)) return
    const isObject = firstByte(nodes, node) === openBrace
    const end = nodeAfter(nodes, node)
    for (let child = node + 1, index = 0; child < end; child = nodeAfter(nodes, child), index += 1) {
      const step = isObject ? this.keyOf(child) : index
      this.inside(step, () =>
        this.checkRules(child, typeof step === 'string' ? state.member(step) : state.item(step)),
      )
    }
  }

  /** Compares two values. Documents are not so deep that this could overflow. */
  compare(node: number, newNode: number, state: RuleState): void {
    const { nodes } = this
    if (nodes.ids[node] === nodes.ids[newNode]) return
    const type = firstByte(nodes, node)
    const isSame = type === firstByte(nodes, newNode)
    const isRepeating = nodes.repeating.has(node) || nodes.repeating.has(newNode)
    if (isSame && type === openBracket) this.compareArrays(node, newNode, state)
    else if (isSame && type === openBrace && !isRepeating) this.compareObjects(node, newNode, state)
    else if (this.itemIds[node] === this.itemIds[newNode]) this.findings.allow()
    else this.replaced(node, newNode, state)
  }

  private keyOf(member: number): string {
    const key = this.nodes.keys[member] ?? 0
    const known = this.keyTexts.get(key)
    if (known !== undefined) return known
    const text = keyText(this.nodes, key)
    this.keyTexts.set(key, text)
    return text
  }

  private inside(step: string | number, visit: () => void): void {
    this.steps.push(step)
    visit()
    this.steps.pop()
  }

  private report(rule: BreakRule, node: number | null, newNode: number | null): void {
    const text = (at: number | null) => (at === null ? null : shortened(valueText(this.nodes, at)))
    this.findings.add(() => ({
      ...{ pointer: pointerTo(this.steps), rule },
      ...{ baseline: text(node), candidate: text(newNode) },
    }))
  }

  private replaced(node: number, newNode: number, { rules }: RuleState): void {
    const { nodes, findings } = this
    if (rules.length === 0) {
      this.report('value', node, newNode)
      return
    }
    const candidate = ruledValue(nodes, newNode)
    const broken = brokenChange(rules, ruledValue(nodes, node), candidate)
    if (broken !== null) this.report(broken, node, newNode)
    // What a value breaks by itself is reported where every value is looked at.
    else if (brokenValue(rules, candidate) === null) findings.allow()
  }

  private compareObjects(object: number, newObject: number, state: RuleState): void {
    const { nodes } = this
    const [members, newMembers] = [childrenOf(nodes, object), childrenOf(nodes, newObject)]
    const isAlike =
      members.length === newMembers.length &&
      members.every((child, at) => nodes.keys[child] === nodes.keys[newMembers[at] ?? 0])
    const partners = isAlike ? null : new Map(Array.from(newMembers, (child) => [nodes.keys[child], child]))
    members.forEach((child, at) => {
      const partner = partners === null ? newMembers[at] : partners.get(nodes.keys[child])
      partners?.delete(nodes.keys[child])
      if (partner !== undefined && nodes.ids[child] === nodes.ids[partner]) return
      const key = this.keyOf(child)
      this.inside(key, () => {
        if (partner === undefined) this.report('removed', child, null)
        else this.compare(child, partner, state.member(key))
      })
    })
    for (const child of partners?.values() ?? [])
      this.inside(this.keyOf(child), () => this.report('added', null, child))
  }

  private compareArrays(array: number, newArray: number, state: RuleState): void {
    const { nodes } = this
    const [items, newItems] = [itemsOf(nodes, array), itemsOf(nodes, newArray)]
    const isIgnored = (node: number): boolean => nodes.ids[node] === ignoredId
    const visitor: ItemVisitor = {
      pair: (at, newAt) => {
        const [node, newNode] = [itemAt(items, at), itemAt(newItems, newAt)]
        if (nodes.ids[node] === nodes.ids[newNode] || isIgnored(node) || isIgnored(newNode)) return
        this.inside(newAt, () => this.compare(node, newNode, state.item(newAt)))
      },
      remove: (at) => {
        if (!isIgnored(itemAt(items, at)))
          this.inside(at, () => this.report('removed', itemAt(items, at), null))
      },
      add: (newAt) => {
        const node = itemAt(newItems, newAt)
        if (!isIgnored(node)) this.inside(newAt, () => this.report('added', null, node))
      },
      reorder: () => {
        if (this.order === 'insignificant') this.findings.allow()
        else this.report('order', array, newArray)
      },
    }
    if (state.keys !== null) {
      this.compareKeyed(items, newItems, state.keys, visitor)
      return
    }
    const own = { ids: this.itemIds }
    walkItems(idsOf(own, items), idsOf(own, newItems), this.order, visitor)
  }

  private compareKeyed(
    items: ArrayItems,
    newItems: ArrayItems,
    names: readonly string[],
    visitor: ItemVisitor,
  ): void {
    const tupleOf = createTupleIds()
    const keys = this.identities(items, names, tupleOf, false)
    const newKeys = this.identities(newItems, names, tupleOf, true)
    if (keys !== null && newKeys !== null) walkKeyedItems(keys, newKeys, visitor)
  }

  /** A number for what identifies each item, none for one that is ignored; `null`, and a break, if something does not. */
  private identities(
    items: ArrayItems,
    names: readonly string[],
    tupleOf: (ids: readonly number[]) => number,
    isCandidate: boolean,
  ): readonly number[] | null {
    const { nodes } = this
    const keys = names.map((name) => keyNumbers(nodes, [name])[0] ?? -1)
    const found: number[] = []
    const known = new Set<number>()
    for (let at = 0; at < items.length; at += 1) {
      const item = itemAt(items, at)
      if (nodes.ids[item] === ignoredId) {
        found.push(isCandidate ? -2 : -1)
        continue
      }
      const isObject = firstByte(nodes, item) === openBrace && !nodes.repeating.has(item)
      const members = keys.map((key) => (isObject ? memberOf(nodes, item, key) : 0))
      const isWhole = members.every((member) => member !== 0 && isScalar(nodes, member))
      const tuple = isWhole ? tupleOf(members.map((member) => nodes.ids[member] ?? 0)) : -1
      if (!isWhole || known.has(tuple)) {
        this.inside(at, () => this.report('keys', isCandidate ? null : item, isCandidate ? item : null))
        return null
      }
      known.add(tuple)
      found.push(tuple)
    }
    return found
  }
}
