import { childPaths, type PathNode, pathTree } from '../compare/path-tree.js'
import type { Contract, ValueRule } from './contract.js'

/** A rule, and where it comes among all. */
type Said = { readonly rule: ValueRule; readonly at: number } | { readonly keys: readonly string[] }

/** Where a value is among the paths of a contract. States are made when they are needed, each once. */
export class RuleState {
  readonly rules: readonly ValueRule[]
  /** What identifies its items together; `null` unless the contract says so. */
  readonly keys: readonly string[] | null
  /** Whether anything is said of values within. */
  readonly isOpen: boolean
  private readonly paths: readonly PathNode<Said>[]
  private readonly children = new Map<string, RuleState>()
  private readonly hasNames: boolean
  private anyChild: RuleState | null = null

  constructor(paths: readonly PathNode<Said>[]) {
    this.paths = paths
    const said = paths.flatMap((path) => path.said)
    const ruled = said.flatMap((one) => ('rule' in one ? [one] : []))
    this.rules = ruled.sort((one, other) => one.at - other.at).map(({ rule }) => rule)
    this.keys = said.flatMap((one) => ('keys' in one ? [one.keys] : []))[0] ?? null
    this.hasNames = paths.some(({ steps }) => steps.size > 0)
    this.isOpen = this.hasNames || paths.some(({ any }) => any !== null)
  }

  /** Where a member is. */
  member(key: string): RuleState {
    if (!this.isOpen) return this.any()
    const known = this.children.get(key)
    if (known !== undefined) return known
    const isNamed = this.paths.some(({ steps }) => steps.has(key))
    if (!isNamed) return this.any()
    const child = new RuleState(childPaths(this.paths, key))
    this.children.set(key, child)
    return child
  }

  /** Where an item is. */
  item(index: number): RuleState {
    return this.hasNames ? this.member(String(index)) : this.any()
  }

  private any(): RuleState {
    this.anyChild ??=
      this.paths.length === 0 ? this : new RuleState(this.paths.flatMap(({ any }) => any ?? []))
    return this.anyChild
  }
}

/** Where the root of a document is. */
export function rootState({ rules, keys }: Pick<Contract, 'rules' | 'keys'>): RuleState {
  const said: readonly (readonly [string, Said])[] = [
    ...rules.map(([path, rule], at) => [path, { rule, at }] as const),
    ...keys.map(([path, names]) => [path, { keys: names }] as const),
  ]
  return new RuleState(pathTree(said))
}
