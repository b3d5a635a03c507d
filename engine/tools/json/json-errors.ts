import { depthMax } from '../../json-bytes/json-scanner.js'
import { type InputPosition, ToolInputError } from '../tool-input-error.js'

/** A mistake in JSON. */
export interface JsonError {
  readonly offset: number
  /** Of the value that contains it, or of the one that is missing. */
  readonly pointer: string
  readonly message: string
}

/** Text that is not JSON. */
export function jsonInvalid(message: string, position: InputPosition): ToolInputError {
  return new ToolInputError('json_invalid', message, position)
}

/** More containers within one another than allowed. */
export function jsonTooDeep(position: InputPosition): ToolInputError {
  return new ToolInputError('json_too_deep', `Values are nested more than ${depthMax} deep.`, position)
}
