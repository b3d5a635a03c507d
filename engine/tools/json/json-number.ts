import { actions, states, transitions } from '../../json-bytes/json-grammar.js'
import { endsNumber } from '../../json-bytes/json-scanner.js'

/** Whether a range is spelled like a JSON number. */
export function isJsonNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let state: number = states.value
  for (let at = start; at < end && state < actions.fail; at += 1) {
    state = transitions[state | (bytes[at] as number)] as number
    if (state === states.value) return false
  }
  return endsNumber(state)
}
