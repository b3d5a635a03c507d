import type { Decimal } from '../decimal.js'
import type { Pattern } from '../tools/json/path/simulate-pattern.js'

/** How far a number may be from the one of the baseline: either limit is enough. */
export interface Tolerance {
  readonly absolute: Decimal | null
  /** Of the number of the baseline: `0.005` for half a percent. */
  readonly relative: Decimal | null
}

/** What is said of the values at a path. */
export interface ValueRule {
  readonly tolerance: Tolerance | null
  readonly pattern: Pattern | null
  readonly changeMax: Tolerance | null
  readonly min: Decimal | null
  readonly max: Decimal | null
}

/** The rules by which a candidate is judged. */
export interface Contract {
  readonly compare: 'values' | 'shape'
  /** As it is spelled. */
  readonly schema: string | null
  /** Or the snippet that holds it. */
  readonly schemaSnippet: string | null
  /** The members that identify the items of arrays together, by the paths of the arrays. */
  readonly keys: readonly (readonly [path: string, names: readonly string[]])[]
  readonly ignore: readonly string[]
  readonly rules: readonly (readonly [path: string, rule: ValueRule])[]
  /** Whether it counts in which order items, rows and lines are. */
  readonly order: 'significant' | 'insignificant'
}

/** The rules that say something of a value whatever it was before. */
export function rulesOfValues({ rules }: Pick<Contract, 'rules'>): Contract['rules'] {
  return rules.filter(([, { pattern, min, max }]) => pattern !== null || min !== null || max !== null)
}

/** A mistake in a contract. */
export class ContractError extends Error {
  /** Where it is in the contract. */
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.name = 'ContractError'
    this.pointer = pointer
  }
}
