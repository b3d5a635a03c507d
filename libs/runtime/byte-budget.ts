/** The bytes of one body, which grow as they arrive. */
export interface HeldBytes {
  /** Copies bytes behind those that are held; false, and nothing is copied, when the budget has no room for them. */
  append(bytes: Uint8Array): boolean
  readonly length: number
  /** All of them, as one piece. */
  bytes(): Buffer
  /** Gives the room back. What `bytes` gave must not be used any more. */
  release(): void
}

/** Bounds the memory that bodies take while they are held. */
export interface ByteBudget {
  /** Holds nothing yet; `holder` is whoever sends the body. */
  open(holder: string): HeldBytes
}

/** What a budget allows. */
export interface ByteBudgetLimits {
  /** In all. */
  readonly bytesMax: number
  /** For one holder, so that nobody alone can use all of it up. */
  readonly holderBytesMax: number
}

const firstBytes = 4_096

function nextPowerOfTwo(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(bytes))
}

/**
 * A budget of the memory that is really taken. Bytes are copied together as they come: kept piece by piece, a body sent
 * in pieces of one byte takes a hundred times its length.
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
    open(holder) {
      let held: Buffer = Buffer.alloc(0)
      let length = 0
      return {
        get length() {
          return length
        },
        append(bytes) {
          const needed = length + bytes.length
          if (needed > held.length) {
            const larger = nextPowerOfTwo(Math.max(needed, firstBytes))
            if (!take(holder, larger - held.length)) return false
            const grown = Buffer.allocUnsafeSlow(larger)
            grown.set(held.subarray(0, length))
            held = grown
          }
          held.set(bytes, length)
          length = needed
          return true
        },
        bytes: () => held.subarray(0, length),
        release() {
          give(holder, held.length)
          held = Buffer.alloc(0)
          length = 0
        },
      }
    },
  }
}
