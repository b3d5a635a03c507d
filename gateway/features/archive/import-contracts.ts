import { memberText } from '#engine/json-bytes/json-walk.js'
import { callUnary } from '#libs/grpc/call.js'
import type { GetContractResponse } from '#proto/snipkeep/content/v1/contract_service.js'
import { ImportedKind } from '#proto/snipkeep/content/v1/import_service.js'
import { contractLimitReached, contractTooLarge, rulesBytesMax } from '#shared/core/contract-limits.js'
import { planMessage } from '#shared/plan-messages.js'
import { depthMax } from '../../body/body-errors.js'
import { requireJsonObject } from '../../body/require-json-object.js'
import { spendingOf } from '../../data/pointer-budget.js'
import { requireApproval } from '../../pipeline/admit.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import { mayApprove, principalOf, shortCall } from '../../request/request-context.js'
import { checkRules } from '../contracts/judge-candidate.js'
import { dataPath } from './archive-format.js'
import { archivedCheck, archivedContract } from './archive-schemas.js'
import { orGone } from './export-records.js'
import { findImported } from './import-items.js'
import { type ListLine, parseRecord } from './import-lists.js'
import { checkImported, countEntries, type ImportRun, isPlanned, noteContractRefusal } from './import-run.js'

type Lines = AsyncIterable<ListLine>

/** The contract that a snippet has; `null` for none. */
function knownContract(
  { dependencies, context, caller }: ImportRun,
  id: string,
): Promise<GetContractResponse | null> {
  const { contracts: client } = dependencies.upstreams
  const request = { ownerId: caller.accountId, id }
  return callUnary(client, client.getContract, request, shortCall(context)).catch(orGone)
}

/**
 * Checks whether the caller may add an earlier version to a snippet.
 * @throws DomainError `insufficient_scope` if it has a contract.
 */
export async function checkUnguarded(run: ImportRun, id: string): Promise<void> {
  if (mayApprove(run.caller)) return
  if ((await knownContract(run, id)) !== null) requireApproval(run.caller)
}

/** Reads rules where contracts run. In a dry run, the schema may be in a snippet of the archive. */
async function readRules(run: ImportRun, rules: Buffer): Promise<void> {
  const { dependencies, context, caller } = run
  await requireJsonObject(rules, depthMax)
  const { spend, refund } = spendingOf(dependencies.documentReads.pointerBudget, accountReader(caller))
  const isExpected = (reference: string): boolean => isPlanned(run, reference)
  try {
    await checkRules(dependencies, { context, caller, rules, spend, isExpected })
  } catch (error) {
    refund(error)
    throw error
  }
}

/**
 * Counts a contract that an import would create.
 * @throws DomainError `contract_limit_reached`.
 */
async function planContract(run: ImportRun): Promise<void> {
  const { dependencies, context, caller } = run
  const { contracts: limit } = dependencies.plans[caller.plan]
  if (limit === null) return
  const { usage } = dependencies.upstreams
  const request = { ownerId: caller.accountId }
  // Content of the previous release does not say.
  run.contracts ??= (await callUnary(usage, usage.getUsage, request, shortCall(context))).contracts ?? 0
  if (run.contracts >= limit) throw contractLimitReached(caller.plan, limit)
  run.contracts += 1
}

/** Gives a snippet the contract of an archive, unless it has one. */
async function importContract(run: ImportRun, id: string, rules: Buffer): Promise<'created' | 'exists'> {
  const { dependencies, context, caller, dryRun } = run
  if ((await knownContract(run, id)) !== null) return 'exists'
  if (rules.length > rulesBytesMax) throw contractTooLarge()
  await readRules(run, rules)
  if (dryRun) {
    await planContract(run)
    return 'created'
  }
  const { imports } = dependencies.upstreams
  const request = {
    ...{ ownerId: caller.accountId, plan: planMessage(caller.plan), id },
    ...{ rules: rules.toString('utf8'), principal: principalOf(caller) },
  }
  // Somebody may have set one meanwhile, which stays.
  const { existed } = await callUnary(imports, imports.importContract, request, shortCall(context))
  return existed ? 'exists' : 'created'
}

async function importLine(run: ImportRun, path: string, origin: string, line: string): Promise<void> {
  requireApproval(run.caller)
  const records = [{ id: origin, sha256: '' }]
  const [item] = await findImported(run, ImportedKind.IMPORTED_KIND_SNIPPET, records)
  if (item === undefined || !(item.exists || isPlanned(run, item.id)))
    throw notFound('The snippet of this contract')
  // Its numbers may have digits that a double has not.
  const rules = Buffer.from(memberText(Buffer.from(line), 'rules') ?? '')
  run.results.add(path, await importContract(run, item.id, rules), { id: item.id })
}

/** Reads a list of contracts, and gives them to the snippets that came before. */
export async function readContracts(run: ImportRun, path: string, lines: Lines): Promise<void> {
  const { results, refusals, dependencies } = run
  for await (const { text } of lines) {
    countEntries(run, 1)
    const { snippet_id: origin } = parseRecord(archivedContract, path, text)
    run.caller = await run.currentCaller()
    const earlier = refusals.kinds.get('contract')
    try {
      if (!dependencies.tools) results.add(path, 'skipped', { id: origin, reason: 'tools' })
      else if (earlier !== undefined) throw earlier
      else await importLine(run, path, origin, text)
    } catch (error) {
      results.refuse(path, error, { id: origin })
      noteContractRefusal(run, error)
    }
    checkImported(run)
    await results.room()
  }
}

/** Reads a list of checks, whose data is skipped: they wait for a decision where they were made. */
export async function skipChecks(run: ImportRun, path: string, lines: Lines): Promise<void> {
  for await (const { text } of lines) {
    countEntries(run, 1)
    const { id, size_bytes: sizeBytes, sha256 } = parseRecord(archivedCheck, path, text)
    const data = dataPath('checks', id)
    run.expected.push({ path: data, sizeBytes, sha256, id: '', origin: id, store: 'check' })
  }
}
