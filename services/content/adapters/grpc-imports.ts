import { invalidField, validationFailed } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type ImportedItem,
  ImportedKind,
  ImportedRevision,
  type ImportOrigin,
  type ImportServiceServer,
  ImportServiceService,
  type ImportShareRequest,
} from '#proto/snipkeep/content/v1/import_service.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { importContract } from '../application/contracts.js'
import {
  findImportedShare,
  importRevision,
  importShare,
  importSnippet,
  targetOfSnippet,
} from '../application/import-items.js'
import type { OwnerId } from '../domain/ids.js'
import type { AddedRevision } from '../domain/revision.js'
import type { ContentPorts } from '../ports.js'
import { ownerOf, principalOf, requesterOf, requiredData, shareOf, snippetOf } from './grpc-messages.js'

const originsMax = 100
/** Far more than any plan keeps. */
const versionsMax = 10_000

const revisionResults: Readonly<Record<AddedRevision, ImportedRevision>> = {
  added: ImportedRevision.IMPORTED_REVISION_ADDED,
  exists: ImportedRevision.IMPORTED_REVISION_EXISTS,
  'not-kept': ImportedRevision.IMPORTED_REVISION_NOT_KEPT,
}

function timeOf(time: Date | undefined, name: string): Date {
  if (time !== undefined) return time
  throw invalidField(`/${name}`, 'required', `${name} is required.`)
}

function versionOf(version: number, name: string): number {
  if (version >= 1) return version
  throw invalidField(`/${name}`, 'too_small', `${name} must be at least 1.`)
}

const shareRequired = { pointer: '/share', code: 'required', detail: 'share is required.' }

async function findItem(
  ports: ContentPorts,
  ownerId: OwnerId,
  { kind, id, sha256 }: ImportOrigin,
): Promise<ImportedItem> {
  if (kind === ImportedKind.IMPORTED_KIND_SHARE) {
    const found = await findImportedShare(ports, {
      ownerId,
      origin: shareOf(id),
      sha256: sha256.toString('hex'),
    })
    return { id: found ?? '', exists: found !== null, versions: [] }
  }
  const place = await targetOfSnippet(ports, ownerId, snippetOf(id))
  if (!place.existed) return { id: place.id, exists: false, versions: [] }
  const revisions = await ports.revisions.list({ ownerId, id: place.id }, null, versionsMax)
  return { id: place.id, exists: true, versions: revisions.map(({ version }) => version) }
}

/** `ImportService` over gRPC. */
export function grpcImports(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const shareIn = (request: ImportShareRequest) => ({
    ...requesterOf(request, plans),
    origin: shareOf(request.id),
    tool: request.tool,
    title: request.title,
    data: requiredData(request.data),
    expiresAt: request.expiresAt ?? null,
    principal: principalOf(request.principal),
    allowedSecrets: request.allowedSecrets,
  })
  const handlers: ImportServiceServer = {
    findImported: unary(async ({ ownerId, origins }) => {
      if (origins.length > originsMax)
        throw invalidField('/origins', 'too_many', `origins must have at most ${originsMax} items.`)
      const owner = ownerOf(ownerId)
      return { items: await Promise.all(origins.map((origin) => findItem(ports, owner, origin))) }
    }),
    importSnippet: unary(async (request) =>
      importSnippet(ports, {
        ...requesterOf(request, plans),
        origin: snippetOf(request.id),
        name: request.name === '' ? null : request.name,
        tool: request.tool,
        title: request.title,
        tags: request.tags,
        data: requiredData(request.data),
        mayApprove: request.mayApprove === true,
        past: {
          version: versionOf(request.revision, 'revision'),
          createdAt: timeOf(request.createdAt, 'created_at'),
          updatedAt: timeOf(request.updatedAt, 'updated_at'),
        },
      }),
    ),
    importRevision: unary(async (request) => {
      const added = await importRevision(ports, {
        ...requesterOf(request, plans),
        id: snippetOf(request.id),
        version: versionOf(request.version, 'version'),
        tool: request.tool,
        title: request.title,
        tags: request.tags,
        data: requiredData(request.data),
        mayApprove: request.mayApprove === true,
        createdAt: timeOf(request.createdAt, 'created_at'),
      })
      return { result: revisionResults[added] }
    }),
    importContract: unary(async (request) => ({
      existed: await importContract(ports, {
        ...requesterOf(request, plans),
        id: snippetOf(request.id),
        rules: request.rules,
        principal: principalOf(request.principal),
      }),
    })),
    importShare: unary(async (request) => importShare(ports, { ...shareIn(request), viewsMax: null })),
    importGatedShare: unary(async ({ share, viewsMax }) => {
      if (share === undefined) throw validationFailed([shareRequired])
      return importShare(ports, { ...shareIn(share), viewsMax })
    }),
  }
  return { definition: ImportServiceService, handlers, callers: { each: ['gateway'] } }
}
