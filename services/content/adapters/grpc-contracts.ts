import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { decodeCursor, encodeCursor, invalidCursor } from '#libs/paging/cursor.js'
import { itemsMax } from '#libs/paging/list-position.js'
import {
  type Contract as ContractMessage,
  type ContractServiceServer,
  ContractServiceService,
} from '#proto/snipkeep/content/v1/contract_service.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { deleteContract, getContract, listContracts, putContract } from '../application/contracts.js'
import { type Contract, contractEtag } from '../domain/contract.js'
import { isId, type SnippetId, snippetId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'
import { keyOf, ownerOf, principalMessage, principalOf, requesterOf } from './grpc-messages.js'

function contractMessage(contract: Contract): ContractMessage {
  const { snippetId: id, rules, version, createdAt, updatedAt, principal } = contract
  const who = principalMessage(principal)
  return { snippetId: id, rules, version, createdAt, updatedAt, etag: contractEtag(contract), principal: who }
}

/**
 * The snippet to continue after; `null` for the first page.
 * @throws DomainError `invalid_cursor`.
 */
function snippetAfter(cursor: string): SnippetId | null {
  if (cursor === '') return null
  const [id = ''] = decodeCursor(cursor, 1)
  if (!isId(id)) throw invalidCursor()
  return snippetId(id)
}

/** `ContractService` over gRPC. */
export function grpcContracts(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const handlers: ContractServiceServer = {
    getContract: unary(async (request) => ({
      contract: contractMessage(await getContract(ports, await keyOf(ports, request))),
    })),
    putContract: unary(async (request) => {
      const { contract, created } = await putContract(ports, {
        ...requesterOf(request, plans),
        ...(await keyOf(ports, request)),
        rules: request.rules,
        principal: principalOf(request.principal),
        ifMatch: request.ifMatch,
        ifNoneMatch: request.ifNoneMatch,
      })
      return { contract: contractMessage(contract), created }
    }),
    deleteContract: unary(async (request) => {
      await deleteContract(ports, await keyOf(ports, request), request.ifMatch)
      return {}
    }),
    listContracts: unary(async ({ ownerId, pageSize, cursor }) => {
      const after = snippetAfter(cursor)
      const { items, next } = await listContracts(ports, ownerOf(ownerId), after, itemsMax(pageSize))
      const nextCursor = next === null ? '' : encodeCursor([next])
      return { contracts: items.map(contractMessage), nextCursor }
    }),
  }
  return { definition: ContractServiceService, handlers, callers: { each: ['gateway'] } }
}
