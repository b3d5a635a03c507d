import type { ToolDescription } from './tool.js'

/** What a text may stand for, the text itself first. */
function* readings(text: string): Generator<unknown, void, undefined> {
  yield text
  if (text === 'true' || text === 'false') yield text === 'true'
  if (/^-?[0-9]{1,15}$/.test(text)) yield Number(text)
  if (text.startsWith('[')) yield* parsed(text)
  yield text === '' ? [] : text.split(',')
}

/** The value of a JSON text; nothing if it is not JSON. */
function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/**
 * Options from texts, as in a query or a fragment: a text becomes the boolean, the whole number or the list
 * that its option takes. A list is separated by commas, or a JSON array, for items that have commas. Neither unknown
 * options nor values that fit nothing are refused here; they stay as they are for the tool's schema.
 */
export function readOptions(
  { options }: Pick<ToolDescription, 'options'>,
  texts: Iterable<readonly [name: string, text: string]>,
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, text] of texts) {
    const schema = Object.hasOwn(options.shape, name) ? options.shape[name] : undefined
    const fitting = [...readings(text)].find((value) => schema?.safeParse(value).success === true)
    read[name] = fitting ?? text
  }
  return read
}
