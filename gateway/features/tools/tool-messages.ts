import type { InputPosition } from '#libs/tools/tool.js'

/** The tool that a thread runs. */
export interface ToolJob {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
}

/** From the gateway to the thread of a tool. */
export type MessageToTool =
  /** The response to `read`; `null` is the end. */
  | { readonly kind: 'input'; readonly bytes: Uint8Array | null }
  /** There is room for one more chunk of output. */
  | { readonly kind: 'more' }

/** From the thread of a tool to the gateway. */
export type MessageFromTool =
  | { readonly kind: 'read' }
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  /** The input is not what the tool takes. */
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly message: string
      readonly position: InputPosition | null
    }
