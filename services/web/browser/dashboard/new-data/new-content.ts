/** What someone pasted, or the text of a file. */
export interface NewContent {
  /** Empty for what was pasted. */
  readonly fileName: string
  readonly text: string
}

/**
 * The text of a file, without the mark that some programs put before it.
 * @throws TypeError when it is no text in UTF-8.
 */
export async function readFile(file: File): Promise<NewContent> {
  const bytes = await file.arrayBuffer()
  return { fileName: file.name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
}
