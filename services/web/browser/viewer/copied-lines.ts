import type { PartReader, TextForm } from '../document/document-reader.js'
import { copiedMax } from './clipboard.js'

const lineBreak = /\r\n|[\n\r\u2028\u2029]/
/** How many lines are asked for at once, so that what is too much is noticed early. */
const linesAtOnce = 10_000

/** All of the lines from one to another, counted from 0; `null` if they are too much for the clipboard. */
export async function copiedLines(
  reader: Pick<PartReader, 'lines' | 'wholeText'>,
  form: TextForm,
  line: number,
  end: number,
): Promise<string | null> {
  const texts: string[] = []
  let [length, isCut] = [0, false]
  for (let from = line; from <= end; from += linesAtOnce) {
    const lines = await reader.lines(form, from, Math.min(linesAtOnce, end - from + 1))
    for (const { text, cutLength } of lines) {
      texts.push(text)
      length += text.length + cutLength + 1
      isCut ||= cutLength > 0
    }
    if (length - 1 > copiedMax) return null
  }
  if (!isCut) return texts.join('\n')
  const all = (await reader.wholeText(form)).split(lineBreak)
  return all.slice(line, end + 1).join('\n')
}
