import { frame } from './en/frame.js'
import { snippets } from './en/snippets.js'
import type { Message } from './message.js'

/** Every text of the web application in English; another language is another such file. `{name}` is filled in. */
export const en = {
  'view.text': 'Text',
  'view.tree': 'Tree',
  'view.table': 'Table',
  'view.raw': 'Raw',
  'loading.progress': '{received} of {total}',
  ...frame,
  ...snippets,
} as const satisfies Readonly<Record<string, Message>>
