/** A query of RFC 9535, parsed. */
export interface JsonPath {
  /** `true` for `@`, which only filters have. */
  readonly isRelative: boolean
  readonly segments: readonly Segment[]
}

/** One step: which children, or which descendants. */
export interface Segment {
  readonly isDescendant: boolean
  readonly selectors: readonly Selector[]
}

/** Selects children of a node. */
export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'index'; readonly index: number }
  | {
      readonly kind: 'slice'
      readonly start: number | null
      readonly end: number | null
      readonly step: number
    }
  | { readonly kind: 'filter'; readonly condition: Condition }

/** A condition on a node. */
export type Condition =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'exists'; readonly query: JsonPath }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Operand
      readonly right: Operand
    }
  | { readonly kind: 'match'; readonly isWhole: boolean; readonly text: Operand; readonly pattern: Operand }

/** How two values are compared. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** An expression with a value, or nothing. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: ScalarValue }
  | { readonly kind: 'single'; readonly query: JsonPath }
  | { readonly kind: 'length'; readonly of: Operand }
  | { readonly kind: 'count'; readonly query: JsonPath }

/** A value without parts; numbers by their spelling. */
export type ScalarValue =
  | { readonly type: 'number'; readonly spelling: string }
  | { readonly type: 'string'; readonly text: string }
  | { readonly type: 'word'; readonly word: 'true' | 'false' | 'null' }
