import { memberText } from '#engine/json-bytes/json-walk.js'
import { callUnary } from '#libs/grpc/call.js'
import { ImportedKind } from '#proto/snipkeep/content/v1/import_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { depthMax } from '../../body/body-errors.js'
import { requireJsonObject } from '../../body/require-json-object.js'
import { spendingOf } from '../../data/pointer-budget.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import { principalOf, shortCall } from '../../request/request-context.js'
import { rulesBytesMax, rulesTooLarge } from '../contracts/contract-text.js'
import { checkRules } from '../contracts/judge-candidate.js'
import { dataPath } from './archive-format.js'
import { archivedCheck, archivedContract } from './archive-schemas.js'
import { orGone } from './export-records.js'
import { findImported } from './import-items.js'
import { type ListLine, parseRecord } from './import-lists.js'
import { checkImported, countEntries, type ImportRun, noteContractRefusal } from './import-run.js'

type Lines = AsyncIterable<ListLine>

/** Gives a snippet the contract of an archive, unless it has one. */
async function importContract(run: ImportRun, id: string, rules: Buffer): Promise<'created' | 'exists'> {
  const { dependencies, context, caller, dryRun } = run
  const { contracts: client } = dependencies.upstreams
  const request = { ownerId: caller.accountId, id }
  const known = await callUnary(client, client.getContract, request, shortCall(context)).catch(orGone)
  if (known !== null) return 'exists'
  if (rules.length > rulesBytesMax) throw rulesTooLarge()
  await requireJsonObject(rules, depthMax)
  if (dryRun) return 'created'
  const { spend } = spendingOf(dependencies.documentReads.pointerBudget, accountReader(caller))
  await checkRules(dependencies, { context, caller, rules, spend })
  const put = {
    ...{ ...request, plan: planMessage(caller.plan), rules: rules.toString('utf8') },
    ...{ ifMatch: [], ifNoneMatch: true, principal: principalOf(caller) },
  }
  await callUnary(client, client.putContract, put, shortCall(context))
  return 'created'
}

async function importLine(run: ImportRun, path: string, origin: string, line: string): Promise<void> {
  const { results, dryRun } = run
  const records = [{ id: origin, sha256: '' }]
  const [item] = await findImported(run, ImportedKind.IMPORTED_KIND_SNIPPET, records)
  if (item === undefined || !(item.exists || dryRun)) throw notFound('The snippet of this contract')
  // Its numbers may have digits that a double has not.
  const rules = Buffer.from(memberText(Buffer.from(line), 'rules') ?? '')
  results.add(path, await importContract(run, item.id, rules), { id: item.id })
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
