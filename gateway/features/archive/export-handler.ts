import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { callUnary } from '#libs/grpc/call.js'
import { writeTar } from '#libs/tar/write-tar.js'
import { parseQuery } from '../../body/parse-fields.js'
import { sendBytes } from '../../http/send-bytes.js'
import { watchCaller } from '../../pipeline/reauthenticate.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import {
  type AccountHandler,
  type Caller,
  principalOf,
  type RequestContext,
  shortCall,
} from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import type { ArchiveTask } from './archive-quota.js'
import * as schemas from './archive-schemas.js'
import { exportFiles } from './export-files.js'
import type { ExportDependencies } from './export-records.js'

/** JSON shrinks well at any level, and a lower one costs far less. */
const gzipLevel = 4

/** Compresses only as fast as it is read. */
function gzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: gzipLevel })
  // An error of the chunks destroys it, and so reaches its reader.
  pipeline(chunks, gzip, () => {})
  return gzip
}

/** Records in the account's events that someone exported or imported it. */
export async function recordTask(
  { upstreams: { events } }: Pick<FeatureDependencies, 'upstreams'>,
  context: RequestContext,
  caller: Caller,
  task: ArchiveTask,
  detail: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const { kind, id } = principalOf(caller)
  const event = {
    ...{ id: randomUUID().replaceAll('-', ''), type: `${task}.made`, createdAt: new Date() },
    ...{ principalKind: kind, principalId: id === '' ? undefined : id },
    ...{ subjectKind: 'account', subjectId: caller.accountId, detail: JSON.stringify(detail) },
  }
  const request = { events: [{ accountId: caller.accountId, event }] }
  await callUnary(events, events.recordEvents, request, shortCall(context))
}

/** The handler of `GET /api/export`. */
export function exportAccount(dependencies: ExportDependencies): AccountHandler {
  return async (context, caller) => {
    const { since } = parseQuery(schemas.exportQuery, context.search)
    const { request, response } = context
    const headers = {
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename="snipkeep-${new Date().toISOString().slice(0, 10)}.tar.gz"`,
      'Cache-Control': 'private, no-store',
    }
    if (request.method === 'HEAD') return sendBytes(response, headers, [])
    const task = await dependencies.archiveQuota.start('export', caller.accountId)
    let release = (): void => {}
    try {
      release = await dependencies.documentReads.readers.take(accountReader(caller), context.signal)
      await recordTask(dependencies, context, caller, 'export', { since: since ?? null })
      const source = {
        ...{ dependencies, caller, call: shortCall(context) },
        currentCaller: watchCaller((known) => dependencies.reauthenticate(context, known, 'get'), caller),
        since: since === undefined ? null : new Date(since),
      }
      await sendBytes(response, headers, [gzipped(writeTar(exportFiles(source, context), new Date()))])
    } finally {
      release()
      task.end(response.headersSent)
    }
  }
}
