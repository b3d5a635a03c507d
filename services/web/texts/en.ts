/** A message: with a number in it that decides its form, one for each plural category of the language. */
export type Message = string | { readonly one: string; readonly other: string }

/** Every text of the web application in English; another language is another such file. `{name}` is filled in. */
export const en = {
  'view.text': 'Text',
  'view.tree': 'Tree',
  'view.table': 'Table',
  'view.raw': 'Raw',
  'document.cancelled': 'Loading was cancelled.',
  'document.gone': 'This has expired.',
  'document.not-found': 'This is not here any more.',
  'document.refused': 'You may not read this.',
  'document.network': 'This could not be loaded. Check your connection and try again.',
  'document.broken': 'Something went wrong while this was read. Try again.',
  'loading.progress': '{received} of {total}',
} as const satisfies Readonly<Record<string, Message>>
