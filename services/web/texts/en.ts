import { frame } from './en/frame.js'
import { history } from './en/history.js'
import { keys } from './en/keys.js'
import { plan } from './en/plan.js'
import { shares } from './en/shares.js'
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
  ...shares,
  ...history,
  ...keys,
  ...plan,
} as const satisfies Readonly<Record<string, Message>>
