/** Pasted text, or the text of a file. */
export interface NewContent {
  /** Empty for pasted text. */
  readonly fileName: string
  readonly text: string
}

/**
 * Decodes a text file, without its byte order mark.
 * @throws TypeError when it is not UTF-8.
 */
export async function readFile(file: File): Promise<NewContent> {
  const bytes = await file.arrayBuffer()
  return { fileName: file.name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
}
