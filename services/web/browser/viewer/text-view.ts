import { openCodeView } from './code/code-view.js'
import type { OpenView } from './view.js'

/** Shows a lone string as itself, and other JSON pretty-printed. */
export const openTextView: OpenView = (host, parts) =>
  openCodeView(host, parts, { form: 'shown', topLine: 0 })

/** Shows the JSON text as it was sent. */
export const openSentTextView: OpenView = (host, parts) =>
  openCodeView(host, parts, { form: 'sent', topLine: 0 })
