import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { type Corpus, corpora, digestOf, fetchCorpus } from './fetch-corpora.js'

let home: string
let server: Server
let archives: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'corpora-'))
  await mkdir(join(home, 'repo-0a1b2c/cases/more'), { recursive: true })
  await writeFile(join(home, 'repo-0a1b2c/cases/a.json'), '[1]')
  await writeFile(join(home, 'repo-0a1b2c/cases/b.json'), '[2]')
  await writeFile(join(home, 'repo-0a1b2c/cases/README'), 'no case')
  spawnSync('tar', ['-czf', join(home, 'archive'), '-C', home, 'repo-0a1b2c'])
  const archive = await readFile(join(home, 'archive'))
  server = createServer((request, response) => {
    response.statusCode = request.url === '/owner/repo/tar.gz/0a1b2c' ? 200 : 404
    response.end(archive)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  archives = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server?.close()
  await rm(home, { recursive: true, force: true })
})

async function corpus(changes: Partial<Corpus> = {}): Promise<Corpus> {
  const files = /\.json$/
  const sha256 = await digestOf(join(home, 'repo-0a1b2c/cases'), files)
  return {
    name: 'cases',
    repository: 'owner/repo',
    commit: '0a1b2c',
    folder: 'cases',
    files,
    sha256,
    ...changes,
  }
}

describe('npm run corpora', () => {
  it('extracts the wanted files from the commit’s archive, and again over existing ones', async () => {
    const into = join(home, 'into/deep/cases')
    for (const _time of [1, 2]) await fetchCorpus(await corpus(), into, archives)
    expect(await readdir(into)).toEqual(['a.json', 'b.json'])
    expect(await readFile(join(into, 'b.json'), 'utf8')).toBe('[2]')
    expect(await readdir(join(home, 'into/deep'))).toEqual(['cases'])
  })

  it('rejects an unavailable archive, or one with another digest, and leaves nothing of it', async () => {
    const into = join(home, 'refused/cases')
    await expect(fetchCorpus(await corpus({ sha256: '00' }), into, archives)).rejects.toThrow(
      'something else',
    )
    await expect(fetchCorpus(await corpus({ commit: 'ffffff' }), into, archives)).rejects.toThrow('404')
    expect(await readdir(join(home, 'refused'))).toEqual([])
  })

  it('pins what the tests were written for', async () => {
    for (const { name, files, sha256, need } of corpora) {
      const folder = corpusFolder(name, need)
      if (folder !== null) expect(await digestOf(folder, files), name).toBe(sha256)
    }
  })
})
