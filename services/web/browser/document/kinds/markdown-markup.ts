import { marked } from 'marked'

/** Markdown as GitHub has it as HTML, which must be sanitised before it is shown. */
export function markdownMarkup(text: string): string {
  return marked.parse(text, { async: false, gfm: true })
}
