import type { ToolNote } from '#engine/tools/tool.js'
import type { InputPosition } from '#engine/tools/tool-input-error.js'
import type { Job } from '../domain/job.js'

/** To the child process. */
export type MessageToChild =
  | { readonly kind: 'job'; readonly job: Job }
  /** The response to `read`; `null` is the end of an input. */
  | { readonly kind: 'input'; readonly bytes: Uint8Array | null }
  /** There is room for one more chunk of output. */
  | { readonly kind: 'more' }

/** From the child process. */
export type MessageFromChild =
  /** Its code is loaded. */
  | { readonly kind: 'ready' }
  /** It needs the next chunk of its current input. */
  | { readonly kind: 'read' }
  /** Before the first output. */
  | { readonly kind: 'note'; readonly note: ToolNote }
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  /** The input is not what the tool takes. */
  | {
      readonly kind: 'invalid'
      readonly code: string
      readonly message: string
      readonly position: InputPosition | null
    }
  /** The documents or options cannot be compared. */
  | { readonly kind: 'incomparable'; readonly code: string; readonly message: string }
  /** A mistake in a contract. */
  | { readonly kind: 'wrong-contract'; readonly pointer: string; readonly message: string }
  | { readonly kind: 'too-large' }
  /** A mistake of ours; the child ends. */
  | { readonly kind: 'failed'; readonly stack: string }

/** Chunks of output that may be on their way: the child works on one while the other is taken. */
export const chunksAhead = 2
