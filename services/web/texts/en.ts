/** A message: with a number in it that decides its form, one for each plural category of the language. */
export type Message = string | { readonly one: string; readonly other: string }

/** Every text of the web application in English; another language is another such file. `{name}` is filled in. */
export const en = {
  'view.text': 'Text',
  'view.tree': 'Tree',
  'view.table': 'Table',
  'view.raw': 'Raw',
  'loading.progress': '{received} of {total}',
} as const satisfies Readonly<Record<string, Message>>
