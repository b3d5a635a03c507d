import type { RevisionSummary } from './generated/types.js'

/** The rules by which candidates for the next version of a snippet are judged. */
export interface ContractRules {
  /** Whether values count, or only types and the presence of members; `values` by default. */
  readonly compare?: 'values' | 'shape'
  /** A JSON Schema (2020-12), or the snippet that holds it. */
  readonly schema?: boolean | { readonly [key: string]: unknown }
  /** The members that identify the items of an array, by its path. */
  readonly keys?: { readonly [path: string]: readonly string[] }
  readonly ignore?: readonly string[]
  readonly tolerance?: readonly {
    readonly path: string
    readonly absolute?: string
    readonly relative?: string
  }[]
  readonly pattern?: readonly { readonly path: string; readonly matches: string }[]
  readonly bounds?: readonly {
    readonly path: string
    readonly change_max?: string
    readonly min?: string
    readonly max?: string
  }[]
  readonly order?: 'significant' | 'insignificant'
}

/** A contract of a snippet. */
export interface Contract {
  readonly snippet_id: string
  readonly rules: ContractRules
  /** Grows with every change. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  /** Who changed it last. */
  readonly principal: RevisionSummary['principal']
}

/** A difference that the contract does not allow. */
export interface CheckBreak {
  /** In the candidate; of what was removed, in the baseline. */
  readonly pointer: string
  readonly rule: string
  /** The beginning of the value's text; `null` where there is none. */
  readonly baseline: string | null
  readonly candidate: string | null
  readonly message?: string
}

/** A judged candidate, without its breaks. */
export interface CheckSummary {
  readonly id: string
  /** Its page. */
  readonly url: string
  readonly snippet_id: string | null
  readonly name: string | null
  readonly verdict: 'same' | 'allowed' | 'breaks' | 'new'
  readonly state: 'pending' | 'accepted' | 'approved' | 'rejected' | 'expired'
  readonly as: string
  readonly counts: { readonly breaks: number; readonly allowed: number }
  readonly truncated: boolean
  readonly baseline_version: number | null
  readonly contract_version: number | null
  /** What the candidate became; `null` if it became no version. */
  readonly version: number | null
  readonly tool: string
  readonly title: string
  readonly size_bytes: number
  readonly sha256: string
  readonly created_at: string
  readonly expires_at: string
  readonly principal: RevisionSummary['principal']
  readonly decided_at: string | null
  readonly decided_by: RevisionSummary['principal']
  readonly note: string | null
  readonly source: string | null
  readonly raw_url: string
  readonly baseline_url: string | null
}

/** A judged candidate. */
export interface Check extends CheckSummary {
  /** The first of them. */
  readonly breaks: readonly CheckBreak[]
}

export interface CheckPage {
  readonly checks: readonly CheckSummary[]
  readonly next_cursor: string | null
}
