import { openLineView } from './line-view.js'
import type { OpenView } from './view.js'

/** Shows the JSON text as it was sent, byte for byte. */
export const openRawView: OpenView = (host, parts) => openLineView(host, parts, 'sent')
