/** The bytes of one body as they arrive. */
export interface ReservedBytes {
  /** Appends a copy of bytes; returns false and copies nothing if the budget has no room. */
  append(bytes: Uint8Array): boolean
  readonly length: number
  /** All bytes, as one piece. */
  bytes(): Buffer
  /** Releases the memory. The result of `bytes` must not be used any more. */
  release(): void
}

/** Limits the memory of bodies that are held. */
export interface ByteBudget {
  /** Starts empty; `holder` is the sender of the body. */
  open(holder: string): ReservedBytes
}

/** The limits of a budget. */
export interface ByteBudgetLimits {
  /** In all. */
  readonly bytesMax: number
  /** For one holder, so that no one can use up everything. */
  readonly holderBytesMax: number
}

const firstBytes = 4_096

function nextPowerOfTwo(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(bytes))
}

/**
 * A budget of the memory that is actually used. Bytes are copied together as they arrive: kept in pieces, a body sent
 * byte by byte takes a hundred times its length.
 */
export function createByteBudget({ bytesMax, holderBytesMax }: ByteBudgetLimits): ByteBudget {
  const takenBy = new Map<string, number>()
  let taken = 0

  const take = (holder: string, bytes: number): boolean => {
    const mine = takenBy.get(holder) ?? 0
    if (taken + bytes > bytesMax || mine + bytes > holderBytesMax) return false
    taken += bytes
    takenBy.set(holder, mine + bytes)
    return true
  }
  const give = (holder: string, bytes: number): void => {
    taken -= bytes
    const mine = (takenBy.get(holder) ?? 0) - bytes
    if (mine > 0) takenBy.set(holder, mine)
    else takenBy.delete(holder)
  }

  return {
    open: (holder) =>
      new BudgetedBytes(
        (bytes) => take(holder, bytes),
        (bytes) => give(holder, bytes),
      ),
  }
}

class BudgetedBytes implements ReservedBytes {
  length = 0
  private held: Buffer = Buffer.alloc(0)
  private readonly take: (bytes: number) => boolean
  private readonly give: (bytes: number) => void

  constructor(take: (bytes: number) => boolean, give: (bytes: number) => void) {
    this.take = take
    this.give = give
  }

  append(bytes: Uint8Array): boolean {
    const needed = this.length + bytes.length
    if (needed > this.held.length) {
      const larger = nextPowerOfTwo(Math.max(needed, firstBytes))
      if (!this.take(larger - this.held.length)) return false
      const grown = Buffer.allocUnsafeSlow(larger)
      grown.set(this.bytes())
      this.held = grown
    }
    this.held.set(bytes, this.length)
    this.length = needed
    return true
  }

  bytes(): Buffer {
    return this.held.subarray(0, this.length)
  }

  release(): void {
    this.give(this.held.length)
    this.held = Buffer.alloc(0)
    this.length = 0
  }
}
