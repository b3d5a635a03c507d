import { readDocument } from './read-document.js'
import { receiveDocument, type WantedDocument } from './receive-document.js'
import { serveDocument } from './serve-document.js'

// The worker of one document: it fetches the document, keeps it and runs the page's queries until the page
// terminates it.

/** What the worker opens for the page: a document, and the tool that made it. */
export interface ToolDocument {
  readonly wanted: WantedDocument
  readonly tool: string
}

serveDocument(async ({ wanted, tool }: ToolDocument, onProgress) =>
  readDocument(await receiveDocument(fetch, wanted, onProgress), tool),
)
