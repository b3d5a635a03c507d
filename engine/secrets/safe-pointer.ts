import { pointerTo, stepsOf } from '../json-pointer.js'
import { findSecrets } from './secret-scanner.js'

const encoder = new TextEncoder()

/** Longer pointers are not shown as a whole. */
const pointerLengthMax = 1_000

/** A pointer as far as it can be shown: up to a key that is itself a secret, or that makes it too long. */
export function safePointer(pointer: string, nowMs: number): string {
  const steps = stepsOf(pointer) ?? []
  let length = 0
  const end = steps.findIndex((step) => {
    length += step.length + 1
    return length > pointerLengthMax || findSecrets(encoder.encode(step), { nowMs }).length > 0
  })
  return end === -1 ? pointer : pointerTo(steps.slice(0, end))
}
