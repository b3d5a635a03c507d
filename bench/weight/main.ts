import { execFileSync } from 'node:child_process'

/** What is generated, wherever it is kept. */
const isGenerated = /^proto\/gen\/|^clients\/(sdk\/generated|action\/dist)\/|-wasm\.ts$/
const isTest = /\.test\.tsx?$|contract\.ts$|\/testing\/|^e2e\//
const isCode = /\.(tsx?|mts|mjs)$/

interface File {
  readonly path: string
  readonly text: string
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 })
}

/** The code, prose and settings of a commit. */
function filesAt(commit: string): readonly File[] {
  const paths = git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter((path) => isCode.test(path) || path.endsWith('.md') || path === 'package.json')
  const input = paths.map((path) => `${commit}:${path}\n`).join('')
  const out = execFileSync('git', ['cat-file', '--batch'], { input, maxBuffer: 1024 * 1024 * 1024 })
  let at = 0
  return paths.map((path) => {
    const start = out.indexOf(10, at) + 1
    const size = Number(out.toString('utf8', at, start).trim().split(' ')[2])
    at = start + size + 1
    return { path, text: out.toString('utf8', start, start + size) }
  })
}

function lines(files: readonly File[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}

function words(files: readonly File[]): number {
  return files.reduce((sum, { text }) => sum + text.split(/\s+/).filter((word) => word !== '').length, 0)
}

/** What the repository weighs at a commit, by name. */
function weightOf(commit: string): Readonly<Record<string, number>> {
  const files = filesAt(commit)
  const named = (pattern: RegExp) => files.filter(({ path }) => pattern.test(path))
  const code = files.filter(({ path }) => isCode.test(path) && !isGenerated.test(path))
  const source = code.filter(({ path }) => !isTest.test(path) && !path.startsWith('bench/'))
  const settings = JSON.parse(named(/^package\.json$/)[0]?.text ?? '{}')
  const configuration = named(/^docs\/configuration\.md$/)[0]?.text ?? ''
  return {
    'source lines': lines(source),
    'source files': source.length,
    'generated lines in git': lines(named(isGenerated)),
    'test lines': lines(code.filter(({ path }) => isTest.test(path))),
    'bench lines': lines(code.filter(({ path }) => path.startsWith('bench/') && !isTest.test(path))),
    'words of docs': words(named(/^docs\/(?!decisions\/).*\.md$/)),
    'words of decisions': words(named(/^docs\/decisions\/\d.*\.md$/)),
    decisions: named(/^docs\/decisions\/\d.*\.md$/).length,
    variables: configuration.split('\n').filter((line) => /^\| `[A-Z]/.test(line)).length,
    processes: named(/^(gateway|services\/[^/]+)\/main\.ts$/).length,
    packages: Object.keys({ ...settings.dependencies, ...settings.optionalDependencies }).length,
    'packages of development': Object.keys(settings.devDependencies ?? {}).length,
  }
}

/** Prints the weight of each given commit as a Markdown table. */
function main(commits: readonly string[]): void {
  const weights = commits.map(weightOf)
  const rows = Object.keys(weights[0] ?? {}).map((name) =>
    [name, ...weights.map((weight) => (weight[name] ?? 0).toLocaleString('en'))].join(' | '),
  )
  const head = ['', ...commits.map((commit) => git('rev-parse', '--short', commit).trim())].join(' | ')
  console.log(
    [head, ['---', ...commits.map(() => '---')].join(' | '), ...rows].map((row) => `| ${row} |`).join('\n'),
  )
}

main(process.argv.length > 2 ? process.argv.slice(2) : ['HEAD'])
