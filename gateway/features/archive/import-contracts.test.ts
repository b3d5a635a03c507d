import { describe, expect, it } from 'vitest'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import {
  archiveOf,
  callerBy,
  data,
  dataFile,
  type Files,
  fieldsOf,
  idOf,
  imported,
  problemsOf,
  resultsOf,
  type Services,
  snippet,
} from './testing/import-fixture.js'

const owner = { kind: 'identity-token' }
const writer = { kind: 'api-key', id: idOf(9), name: 'nightly', scopes: ['read', 'write'] }
const job = { kind: 'trusted-publisher', id: idOf(8), name: 'job', scopes: ['read', 'write'] }

const contract = (n: number, rules = '{"order":"insignificant"}'): string =>
  `{"snippet_id":"${idOf(n)}","rules":${rules},"version":1}\n`
const contracts = (lines: readonly string[]): readonly [string, string] => [
  'contracts.ndjson',
  lines.join(''),
]
/** Snippets with these numbers, in an archive. */
const snippets = (numbers: readonly number[], name: string | null = null): Files => [
  ['snippets.ndjson', numbers.map((n) => `${snippet(n, '{}', 1, [], { name })}\n`).join('')],
  ...numbers.map((n) => dataFile(n, '{}')),
]
/** An account that has every snippet and no contract, and the ids of those that got one. */
function withSnippets(): { given: Partial<Services>; set: string[] } {
  const set: string[] = []
  const importContract: Services['importContract'] = ({ id }) => {
    set.push(id)
    return { existed: false }
  }
  return { given: { exists: () => true, importContract }, set }
}
const guarded = { exists: () => true, getContract: () => ({ contract: {} }) }

describe('the contracts of an archive', () => {
  it.each([
    ['an API key with write', writer],
    ['a CI job', job],
  ])('are refused one by one to %s, in a dry run, too', async (_name, by) => {
    for (const dryRun of [false, true]) {
      const { given, set } = withSnippets()
      const result = await imported(
        archiveOf([contracts([contract(1), contract(2)])]),
        given,
        0,
        callerBy(by),
        dryRun,
      )
      expect(result.error).toBeNull()
      const refused = {
        result: 'refused',
        problem: { status: 403, code: 'insufficient_scope', scope: 'approve' },
      }
      expect(result.lines).toMatchObject([
        { id: idOf(1), ...refused },
        { id: idOf(2), ...refused },
      ])
      expect(set).toEqual([])
    }
  })

  it.each([
    ['the owner', owner],
    ['a key with approve', { ...writer, scopes: ['write', 'approve'] }],
  ])('are set by %s', async (_name, by) => {
    const { given, set } = withSnippets()
    const result = await imported(archiveOf([contracts([contract(1)])]), given, 0, callerBy(by))
    expect([resultsOf(result), set]).toEqual([['created'], [idOf(1)]])
  })

  it('leave one that was set at the same moment as it is', async () => {
    const given = { exists: () => true, importContract: () => ({ existed: true }) }
    const result = await imported(archiveOf([contracts([contract(1)])]), given, 0, callerBy(owner))
    expect(resultsOf(result)).toEqual(['exists'])
  })

  it('give the byte budget back if the tools do not respond', async () => {
    let refunds = 0
    const refund = (): void => {
      refunds += 1
    }
    const source = { data: { $case: 'inline', value: Buffer.from('{}') }, sizeBytes: 70_000 }
    const given = {
      ...withSnippets().given,
      readSnippet: async () => ({ snippet: source }),
      spend: async () => refund,
      runJob() {
        throw unavailable('The tools do not respond.')
      },
    }
    const files = [contracts([contract(1, '{"schema":{"snippet":"@s"}}')])]
    const { error } = await imported(archiveOf(files), given, 0, callerBy(owner))
    expect([error, refunds]).toMatchObject([{ kind: 'unavailable' }, 1])
  })
})

describe('a dry run', () => {
  const dry = (files: Files, given: Partial<Services> = {}, plan = 'pro') =>
    imported(archiveOf(files), given, 0, callerBy(owner, plan), true)

  it('refuses the rules that an import refuses, and stores none', async () => {
    const { given, set } = withSnippets()
    const runJob = () => {
      throw new DomainError('invalid', 'validation_failed', 'A mistake.', { pointer: '/order' })
    }
    const result = await dry([contracts([contract(1)])], { ...given, runJob })
    expect([resultsOf(result), problemsOf(result)[0]?.code, set]).toEqual([
      ['refused'],
      'validation_failed',
      [],
    ])
  })

  it('counts the contracts of the account', async () => {
    const { given } = withSnippets()
    const files = [contracts([1, 2, 3, 4].map((n) => contract(n)))]
    const result = await dry(files, given, 'free')
    expect(resultsOf(result)).toEqual(['created', 'created', 'refused', 'refused'])
    expect(problemsOf(result)[2]).toMatchObject({ code: 'contract_limit_reached', limit: 3 })
    expect(resultsOf(await dry(files, given))).toEqual(Array(4).fill('created'))
  })

  it('knows the snippets that would come with a contract or with its schema, and only those', async () => {
    const rules = '{"schema":{"snippet":"@prices.schema"}}'
    const files = [...snippets([1], 'prices.schema'), contracts([contract(1, rules), contract(2)])]
    const result = await dry(files)
    expect(resultsOf(result)).toEqual(['created', 'created', 'refused'])
    expect(problemsOf(result)[2]?.code).toBe('not_found')
    const without = await dry([...snippets([1], 'other'), contracts([contract(1, rules)])])
    expect(problemsOf(without)[1]).toMatchObject({ code: 'validation_failed', pointer: '/schema/snippet' })
  })

  it('does not count on a snippet that is refused', async () => {
    const large = data(2_000)
    const files: Files = [
      ['snippets.ndjson', `${snippet(1, large)}\n`],
      dataFile(1, large),
      contracts([contract(1)]),
    ]
    const result = await dry(files)
    expect(problemsOf(result).map((one) => one?.code)).toEqual(['data_too_large', 'not_found'])
  })
})

describe('an earlier version in an archive', () => {
  const archive = archiveOf([
    ['snippets.ndjson', `${snippet(1, '{}', 3, [{ ...fieldsOf('{}'), version: 2 }])}\n`],
    ...[dataFile(1, '{}'), dataFile(1, '{}', 2)],
  ])
  const add = async (by: object, given: Partial<Services>, dryRun = false) => {
    let versions = 0
    const importRevision = () => {
      versions += 1
      return { result: 1 }
    }
    const result = await imported(archive, { ...given, importRevision }, 0, callerBy(by), dryRun)
    return [...resultsOf(result), problemsOf(result)[1]?.code, versions]
  }

  it.each([
    ['an API key with write', writer],
    ['a CI job', job],
  ])('is refused to %s if the snippet has a contract', async (_name, by) => {
    for (const dryRun of [false, true])
      expect(await add(by, guarded, dryRun)).toEqual(['exists', 'refused', 'insufficient_scope', 0])
    expect(await add(by, { exists: () => true })).toEqual(['exists', 'created', undefined, 1])
  })

  it('is added by who may approve', async () => {
    expect(await add(owner, guarded)).toEqual(['exists', 'created', undefined, 1])
  })
})
