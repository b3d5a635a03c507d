/** What a break breaks. */
export type BreakRule =
  | 'format'
  | 'schema'
  | 'pattern'
  | 'bounds'
  | 'tolerance'
  | 'keys'
  | 'order'
  | 'shape'
  | 'value'
  | 'added'
  | 'removed'

/** One thing that the contract does not allow. */
export interface Break {
  /** Where, in the candidate; of what was removed, in the baseline. A long one is cut as texts are. */
  readonly pointer: string
  readonly rule: BreakRule
  /** The exact text of the value, up to 1,000 units of UTF-16 with `…` for the rest; `null` where there is none. */
  readonly baseline: string | null
  readonly candidate: string | null
  /** What a text cannot show. */
  readonly message?: string
}

/** How much is listed. */
export interface BreakLimits {
  /** 1,000 unless given. */
  readonly breaksMax?: number | undefined
  /** Of the texts of the listed breaks together, in UTF-16 units; no limit unless given. */
  readonly breakUnitsMax?: number | undefined
}

const textUnitsMax = 1_000

/** A text that is short enough to be listed; a surrogate pair is never cut in two. */
export function shortened(text: string, unitsMax: number = textUnitsMax): string {
  if (text.length <= unitsMax) return text
  const unit = text.charCodeAt(unitsMax - 1)
  return `${text.slice(0, unitsMax - (unit >= 0xd800 && unit < 0xdc00 ? 1 : 0))}…`
}

/** What a judgement has found: all of it is counted, and the first of it listed. */
export class Findings {
  readonly breaks: Break[] = []
  breakCount = 0
  allowedCount = 0
  /** Whether a pointer was too long to be listed. */
  isCut = false
  private readonly breaksMax: number
  private unitsLeft: number

  constructor({ breaksMax = 1_000, breakUnitsMax = Number.POSITIVE_INFINITY }: BreakLimits) {
    this.breaksMax = breaksMax
    this.unitsLeft = breakUnitsMax
  }

  /** Makes the break only if there is room for it. */
  add(make: () => Break): void {
    this.breakCount += 1
    if (this.breaks.length >= this.breaksMax || this.unitsLeft <= 0) return
    const { pointer, rule, baseline, candidate, message } = make()
    const found: Break = {
      pointer: shortened(pointer),
      rule,
      baseline: baseline === null ? null : shortened(baseline),
      candidate: candidate === null ? null : shortened(candidate),
      ...(message === undefined ? {} : { message: shortened(message) }),
    }
    this.isCut ||= pointer.length > textUnitsMax
    for (const text of Object.values(found)) this.unitsLeft -= text?.length ?? 0
    this.breaks.push(found)
  }

  allow(): void {
    this.allowedCount += 1
  }
}
