/** Enough for the header of any message with one bytes field. */
const headroomBytes = 8

/** Buffers allocated with headroom, for as long as they live. */
const hasHeadroom = new WeakSet<ArrayBufferLike>()

/**
 * Memory for bytes that will be sent in a message, with room before them, so that adding the header needs no
 * copy.
 */
export function allocateWithHeadroom(bytes: number): Buffer<ArrayBuffer> {
  const memory = Buffer.allocUnsafeSlow(headroomBytes + bytes)
  hasHeadroom.add(memory.buffer)
  return memory.subarray(headroomBytes)
}

/**
 * `head` and these bytes in one piece: in place if they have headroom, and then valid until the next head is
 * written there; otherwise a copy.
 */
export function prependInPlace(head: Uint8Array, bytes: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = bytes
  // A slice that starts later has no headroom, but other bytes before it.
  if (byteOffset !== headroomBytes || head.length > headroomBytes || !hasHeadroom.has(buffer))
    return Buffer.concat([head, bytes])
  const whole = Buffer.from(buffer, headroomBytes - head.length, head.length + length)
  whole.set(head)
  return whole
}
