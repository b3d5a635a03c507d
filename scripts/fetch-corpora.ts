import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Third-party test data that the repository does not contain. */
export interface Corpus {
  /** Its folder below `.corpora`. */
  readonly name: string
  readonly repository: string
  /** Or a tag. */
  readonly commit: string
  /** The folder of its repository, and which files are taken, by their paths in it. */
  readonly folder: string
  readonly files: RegExp
  /** The digest of the files taken, from `digestOf`. */
  readonly sha256: string
  /** Without an optional one, its tests are skipped even where corpora are required. */
  readonly need?: 'optional'
}

/** What `npm run corpora` fetches, each pinned to a commit and a digest. */
export const corpora: readonly Corpus[] = [
  {
    name: 'json-test-suite/test_parsing',
    repository: 'nst/JSONTestSuite',
    commit: '1ef36fa0',
    folder: 'test_parsing',
    files: /\.json$/,
    sha256: 'abc15ec8c3df7ff6fa771b051a8950012403b241af2688e82374e0bcafcdd21c',
  },
  {
    name: 'json-schema-test-suite/tests',
    repository: 'json-schema-org/JSON-Schema-Test-Suite',
    commit: '47958f82',
    folder: 'tests/draft2020-12',
    files: /^([\w-]+|optional\/(bignum|float-overflow|ecmascript-regex))\.json$/,
    sha256: '0e4a789522d102f66cb9e982ff0592d34ff99d347852759307799cc269716e30',
    need: 'optional',
  },
  {
    name: 'json-schema-test-suite/remotes',
    repository: 'json-schema-org/JSON-Schema-Test-Suite',
    commit: '47958f82',
    folder: 'remotes',
    files: /^([\w-]+|draft2020-12\/[\w/-]+)\.json$/,
    sha256: 'e29f559befe31392469872031ba5aebc5a7ba81abb313759376352d8f7b27284',
    need: 'optional',
  },
  {
    name: 'wycheproof',
    repository: 'C2SP/wycheproof',
    commit: 'dac1dd47',
    folder: 'testvectors_v1',
    files: /^json_web_(key|signature)_test\.json$/,
    sha256: '30314da62fee45529989f92f1ef782dad41552bc743b93b2ff44bf403d24e58d',
  },
  {
    name: 'pygithub',
    repository: 'PyGithub/PyGithub',
    commit: 'v2.6.1',
    folder: 'tests/ReplayData',
    files: /^((Gist|Github|NamedUser|AuthenticatedUser)\.test\w*Gists?\w*|Gist\.test\w+)\.txt$/,
    sha256: '505e274fb036d25d3ebfc3daee5b14ed118bf487f8ebebb57d6eaf6c8d5dc00b',
    need: 'optional',
  },
]

async function namesIn(folder: string, files: RegExp): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => files.test(name)).sort()
}

/** The SHA-256 of a folder's files: of a line for each, with its own SHA-256 and its name, sorted by name. */
export async function digestOf(folder: string, files: RegExp): Promise<string> {
  const names = await namesIn(folder, files)
  const lines = names.map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(folder, name)))
    return `${digest.digest('hex')}  ${name}\n`
  })
  return createHash('sha256')
    .update((await Promise.all(lines)).join(''))
    .digest('hex')
}

async function unpack(url: string, into: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) })
  if (!response.ok) throw new Error(`${url} returned ${response.status}.`)
  await mkdir(into)
  const input = Buffer.from(await response.arrayBuffer())
  const tar = spawnSync('tar', ['-xzf', '-', '-C', into, '--strip-components=1'], { input, encoding: 'utf8' })
  if (tar.status !== 0) throw new Error(`${url} could not be unpacked: ${tar.stderr}`)
}

/**
 * Fetches a corpus into a folder, completely or not at all. `archives` is the URL of a server that has
 * `OWNER/REPOSITORY/tar.gz/COMMIT`.
 * @throws Error if the archive cannot be fetched or does not match its digest.
 */
export async function fetchCorpus(corpus: Corpus, into: string, archives: string): Promise<void> {
  const { repository, commit, folder, files, sha256 } = corpus
  const url = `${archives}/${repository}/tar.gz/${commit}`
  await mkdir(dirname(into), { recursive: true })
  const draft = await mkdtemp(`${into}.`)
  try {
    await unpack(url, join(draft, 'all'))
    const source = join(draft, 'all', folder)
    const found = await digestOf(source, files)
    if (found !== sha256)
      throw new Error(`${url} holds something else: its digest is ${found}, not ${sha256}.`)
    const wanted = join(draft, 'wanted')
    await mkdir(wanted)
    for (const name of await namesIn(source, files)) {
      await mkdir(dirname(join(wanted, name)), { recursive: true })
      await rename(join(source, name), join(wanted, name))
    }
    await rm(into, { recursive: true, force: true })
    await rename(wanted, into)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
