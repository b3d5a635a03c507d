/** Enough for the header of any message with one bytes field. */
const headroomBytes = 8

/** Buffers allocated with headroom, for as long as they live. */
// biome-ignore lint/plugin: the state of each buffer, in a WeakSet
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

/** The wire type of bytes: a varint with their length comes first. */
const lengthDelimited = 2

/** `value` as a varint, in one to five bytes. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  bytes.push(rest)
  return bytes
}

/**
 * A protobuf message whose only field is this one, of bytes, with a number below 16. Generated code copies the bytes
 * three times and leaves four times as many to the garbage collector; here they are copied once, which takes a third
 * of the time, or not at all if they have headroom (`allocateWithHeadroom`).
 */
export function bytesMessage(field: number, bytes: Uint8Array): Buffer {
  return prependInPlace(Uint8Array.of((field << 3) | lengthDelimited, ...varint(bytes.length)), bytes)
}

/** The bytes of a message with only this field, as a view of it; `null` for any other message. */
export function bytesOnlyField(field: number, message: Buffer): Buffer | null {
  if (message[0] !== ((field << 3) | lengthDelimited)) return null
  let length = 0
  let at = 1
  for (let shift = 0; ; shift += 7) {
    const byte = message[at] ?? 0
    length |= (byte & 127) << shift
    at += 1
    if (byte < 128) break
    if (shift === 21) return null
  }
  return message.length - at === length ? message.subarray(at) : null
}
