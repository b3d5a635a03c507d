import { messageOf } from '#libs/core/message-of.js'
import { type Finding, ok, problem } from '#libs/doctor/finding.js'
import type { DocumentStore } from '../document-ports.js'
import { documentId } from '../domain/ids.js'

type ClosableStore = Pick<DocumentStore, 'read'> & { close(): void }

const check = 'documents in S3'
/** The id of no document: looking for it shows whether the store can be reached and read. */
const absentId = documentId('doctor')

/**
 * Checks whether the document store in S3 can be read; no findings if `open` returns `null`, because
 * documents are in Postgres.
 */
export async function checkDocuments(open: () => Promise<ClosableStore | null>): Promise<readonly Finding[]> {
  const store = await open()
  if (store === null) return []
  try {
    for await (const _chunk of store.read(absentId, { offset: 0, length: 1 }));
    return [ok(check, 'the store can be read')]
  } catch (error) {
    const message = messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
    const remedy = 'check S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'
    return [problem(check, `the store cannot be read: ${message}`, remedy)]
  } finally {
    store.close()
  }
}
