import { ToolInputError } from '../tool.js'
import { jsonDepthMax } from './xml-marks.js'

const chunkUnits = 65_536

/** Collects JSON without white space. */
export class JsonOutput {
  private text = ''
  private depth = 0
  private readonly encoder = new TextEncoder()

  put(text: string): void {
    this.text += text
  }

  open(bracket: '{' | '['): void {
    this.depth += 1
    if (this.depth > jsonDepthMax)
      throw new ToolInputError(
        'xml_too_deep',
        `As JSON, values would be nested more than ${jsonDepthMax} deep.`,
      )
    this.text += bracket
  }

  close(bracket: '}' | ']'): void {
    this.depth -= 1
    this.text += bracket
  }

  /** The output since the last call, once there is enough of it. */
  *takeFull(): Generator<Uint8Array> {
    if (this.text.length >= chunkUnits) yield* this.takeAll()
  }

  *takeAll(): Generator<Uint8Array> {
    yield this.encoder.encode(this.text)
    this.text = ''
  }
}
