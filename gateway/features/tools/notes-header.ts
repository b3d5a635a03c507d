import type { ServerResponse } from 'node:http'
import type { JobNote } from '#proto/snipkeep/tools/v1/job_service.js'

/** Proxies often have 4 KiB for all headers of a response. */
const bytesMax = 2_048

/** JSON in ASCII, as headers require. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const more = asciiJson({ message: 'There may be more notes; this header has no room for them.' })

/**
 * The header `Snipkeep-Notes`, which is JSON of up to 2 KiB.
 * @returns adds a note and returns the header with it; once one has no room, the last note says that there may be more.
 */
export function createNotesHeader(): (note: JobNote) => string {
  const notes: string[] = []
  let isFull = false
  return ({ line, column, message }) => {
    const note = asciiJson({ line, column, message })
    if (!isFull) {
      isFull = `[${[...notes, note, more].join(',')}]`.length > bytesMax
      notes.push(isFull ? more : note)
    }
    return `[${notes.join(',')}]`
  }
}

/** Adds each note of a run to the header of its response, until that is sent. */
export function noteHeader({ response }: { readonly response: ServerResponse }): (note: JobNote) => void {
  const withNote = createNotesHeader()
  return (note) => {
    const header = withNote(note)
    if (!response.headersSent) response.setHeader('Snipkeep-Notes', header)
  }
}
