import type { Random } from './random.js'

/** The bytes in pieces of `size`. */
export function cutEvery(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

/** The bytes in two pieces. */
export function cutAt(bytes: Buffer, position: number): Buffer[] {
  return [bytes.subarray(0, position), bytes.subarray(position)]
}

/** The bytes in pieces of random sizes, some of them empty. */
export function cutAnywhere(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = []
  const sizeMax = 1 + random.below(bytes.length + 1)
  let at = 0
  while (at < bytes.length) {
    const size = random.below(sizeMax + 1)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
