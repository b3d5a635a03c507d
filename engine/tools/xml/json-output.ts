import { OutputBuffer } from '../output-buffer.js'
import { ToolInputError } from '../tool-input-error.js'
import { jsonDepthMax } from './xml-marks.js'

/** Collects JSON without white space. */
export class JsonOutput extends OutputBuffer {
  private depth = 0

  open(bracket: '{' | '['): void {
    this.depth += 1
    if (this.depth > jsonDepthMax)
      throw new ToolInputError(
        'xml_too_deep',
        `As JSON, values would be nested more than ${jsonDepthMax} deep.`,
      )
    this.putText(bracket)
  }

  close(bracket: '}' | ']'): void {
    this.depth -= 1
    this.putText(bracket)
  }
}
