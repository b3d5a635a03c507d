import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { areInstalled } from '#libs/testing/programs.js'
import { runJob } from './harness/gitlab-component.js'

const judged = {
  ...{ id: 'c1', url: 'https://s.example/checks/c1', verdict: 'allowed', state: 'pending' },
  ...{ counts: { breaks: 0, allowed: 1 }, breaks: [], contract_version: 1 },
}
const breaking = { ...judged, verdict: 'breaks', counts: { breaks: 1, allowed: 0 } }

let server: Server
let folder: string
let asked: string[]
let check: object
let share: object | null

function job(inputs: Readonly<Record<string, string>>) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const gitlab = {
    CI_API_V4_URL: `${url}/gitlab`,
    CI_MERGE_REQUEST_IID: '4',
    SNIPKEEP_GITLAB_TOKEN: 't',
  }
  return runJob(folder, { server: url, check: '@prices', ...inputs }, { SNIPKEEP_KEY: 'k', ...gitlab })
}

/** The paths below one of these. */
const askedFor = (prefix: string) => asked.filter((path) => path.startsWith(prefix))

describe.skipIf(!areInstalled('curl', 'jq'))('checks by the component for GitLab (needs curl and jq)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snipkeep-gitlab-'))
    await writeFile(join(folder, 'report.csv'), 'a,b\n')
    server = createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      const notes = path.includes('/notes?') ? [] : { id: 7 }
      const stored = path.includes('/checks') ? check : share
      const body = path.startsWith('/gitlab') ? notes : stored
      request
        .resume()
        .on('end', () => response.writeHead(body === null ? 403 : 201).end(JSON.stringify(body)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server?.closeAllConnections()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    asked = []
    check = judged
    share = { share_url: 'https://s.example/s/x' }
  })

  it('write the note though the file could not be shared, and fail', async () => {
    share = null
    const ran = await job({})
    expect([ran.code, ran.links.map(({ label }) => label)]).toEqual([1, ['allowed: @prices']])
    expect(ran.out).toContain('Checked report.csv: allowed, breaks: 0, allowed: 1, pending.')
    expect(askedFor('/gitlab/projects/9/merge_requests/4/notes')).toHaveLength(2)
  })

  it('share what passes, and not what breaks the contract', async () => {
    const shared = await job({})
    expect([shared.code, shared.links.map(({ label }) => label)]).toEqual([
      0,
      ['allowed: @prices', 'report.csv'],
    ])
    asked = []
    check = breaking
    const broken = await job({})
    expect([broken.code, askedFor('/api/shares')]).toEqual([1, []])
    expect(broken.out).toContain('report.csv breaks the contract of @prices.')
  })

  it('say where there is no contract', async () => {
    check = { ...breaking, contract_version: null }
    const ran = await job({})
    expect(ran.out).toContain('@prices has no contract, so every difference breaks.\n')
    expect(ran.out).toContain('report.csv differs from @prices, which has no contract.')
  })

  it.each(['prices', 'pri-ces', '0123456789.abcdefghijk', '@-'])(
    'refuse %s, which is no id and no name',
    async (name) => {
      const ran = await job({ check: name })
      expect([ran.code, asked]).toEqual([1, []])
      expect(ran.out).toContain('A name begins with @, such as @prices.')
    },
  )

  it('take an id, and refuse accept without check', async () => {
    expect((await job({ check: '0123456789abcdefghijkl', share: 'false' })).code).toBe(0)
    expect(asked[0]).toMatch(/^\/api\/snippets\/0123456789abcdefghijkl\/checks\?accept=same&/)
    const ran = await job({ check: '', accept: 'never' })
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining('accept goes with check')])
  })
})
