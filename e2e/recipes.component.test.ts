import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { areInstalled } from '#libs/testing/programs.js'
import type { ApiClient } from './harness/api-client.js'
import { installCli } from './harness/cli-program.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const run = promisify(execFile)
const report = 'name,role\nAda,"engineer"\n'

let system: SystemInProcess
let user: ApiClient
let folder: string
let env: Record<string, string>
let recipes: readonly { readonly section: string; readonly language: string; readonly text: string }[]

/** The code blocks of the page, by the heading of their section. */
function fencesOf(page: string): typeof recipes {
  return page.split(/^## /m).flatMap((section) => {
    const fences = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    return fences.map(([, language = '', text = '']) => ({
      section: section.slice(0, section.indexOf('\n')),
      language,
      text,
    }))
  })
}

describe.skipIf(!areInstalled('curl', 'make'))('the recipes (need curl and make)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snipkeep-recipes-'))
    await installCli(folder)
    system = await startSystem()
    user = await system.user('rae', 'pro')
    const { key } = (await user.post('/api/keys', { name: 'recipes' })).json<{ key: string }>()
    env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      SNIPKEEP_SERVER: system.baseUrl(),
      SNIPKEEP_KEY: key,
      GITHUB_REF_NAME: 'main',
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      CI_COMMIT_REF_SLUG: 'main',
    }
    recipes = fencesOf(await readFile('docs/recipes.md', 'utf8'))
  })
  afterAll(async () => {
    await system?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    const program = `#!/bin/sh\ncat <<'END'\n${report}END\n`
    await writeFile(join(folder, 'make-report'), program, { mode: 0o755 })
    for (const name of ['report.csv', 'fetched.csv']) await rm(join(folder, name), { force: true })
  })

  /** The code blocks of a section in this language, at least one. */
  function fences(section: string, language: string): readonly string[] {
    const found = recipes.filter((recipe) => recipe.section === section && recipe.language === language)
    expect(found.length, section).toBeGreaterThan(0)
    return found.map(({ text }) => text)
  }

  async function shell(script: string, more: Record<string, string> = {}): Promise<string> {
    return (await run('sh', ['-e', '-c', script], { cwd: folder, env: { ...env, ...more } })).stdout
  }

  /** The snippet saved under a name, which is deleted afterwards. */
  async function taken(name: string): Promise<string> {
    const { text } = await user.get(`/api/snippets/@${name}/raw?pointer=/csv`)
    expect((await user.delete(`/api/snippets/@${name}`)).status).toBe(200)
    return text
  }

  /** The CSV behind the link in a text. */
  async function shared(text: string): Promise<string> {
    const id = /\/s\/([0-9A-Za-z]{22})\b/.exec(text)?.[1]
    return (await system.anyone().get(`/api/shares/${id}/raw?pointer=/csv`)).text
  }

  it('the shell scripts save, share and fetch, with curl and with the command line', async () => {
    for (const script of fences('A shell script', 'sh')) {
      const out = await shell(script)
      expect(out.trim().split('\n')).toHaveLength(2)
      expect(await shared(out)).toBe(report)
      expect(await readFile(join(folder, 'fetched.csv'), 'utf8')).toBe(report)
      expect(await taken('nightly-report')).toBe(report)
    }
  })

  it('the example that saves and shares prints a link alone', async () => {
    const script = resolve('examples/save-and-share.sh')
    await writeFile(join(folder, 'report.csv'), report)
    const out = await shell(`"${script}" report.csv nightly-report csv`)
    expect(out).toMatch(/^http\S+\/s\/\w{22}\n$/)
    expect(await shared(out)).toBe(report)
    expect(await taken('nightly-report')).toBe(report)
  })

  it('the example that compares with the last version says what changed, and saves it', async () => {
    const script = `"${resolve('examples/compare-with-last.sh')}" report.csv prices csv`
    const compared = async (text: string) => {
      await writeFile(join(folder, 'report.csv'), text)
      return run('sh', ['-c', script], { cwd: folder, env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      )
    }
    expect(await compared('name,price\nNut,1.10\n')).toEqual({
      code: 0,
      stdout: 'saved for the first time: @prices\n',
    })
    expect((await compared('name,price\nNut,1.10\n')).code).toBe(0)
    const changed = await compared('name,price\nNut,1.20\n')
    expect(changed.code).toBe(1)
    expect(changed.stdout).toContain('1.20')
    expect((await compared('name,price\nNut,1.20\n')).code).toBe(0)
    expect(await taken('prices')).toBe('name,price\nNut,1.20\n')
  })

  it('the steps for GitHub save and put a link into the summary', async () => {
    const [workflow = ''] = fences('GitHub Actions', 'yaml')
    const { steps } = parse(workflow).jobs.report as { steps: readonly { run?: string }[] }
    for (const { run: script } of steps) if (script !== undefined) await shell(script)
    expect(await taken('report-main')).toBe(report)
    expect(await shared(await readFile(join(folder, 'summary.md'), 'utf8'))).toBe(report)
    const [naming = ''] = fences('GitHub Actions', 'sh')
    expect(await shell(naming, { GITHUB_REF_NAME: 'Feature/Über #7' })).toMatch(
      /^report-feature-[-a-z0-9]+\n$/,
    )
  })

  it('the job for GitLab saves and posts a link', async () => {
    const [job = ''] = fences('GitLab CI', 'yaml')
    const { script, artifacts } = parse(job).report
    await shell(script.join('\n'))
    expect(await taken('report-main')).toBe(report)
    const annotations = JSON.parse(await readFile(join(folder, artifacts.reports.annotations), 'utf8'))
    expect(await shared(annotations.snipkeep[0].external_link.url)).toBe(report)
  })

  it('the jobs for Forgejo, Buildkite, CircleCI and Jenkins save and give a link', async () => {
    const section = 'Forgejo, Buildkite, CircleCI, Jenkins'
    const [script = ''] = fences(section, 'sh')
    await writeFile(join(folder, 'publish-report'), script, { mode: 0o755 })
    const [forgejo, buildkite, circle] = fences(section, 'yaml').map((text) => parse(text))
    type Step = string | { readonly run?: string }
    const commands = (steps: readonly Step[]): string =>
      steps.flatMap((step) => (typeof step === 'string' ? [] : (step.run ?? []))).join('\n')
    const [jenkins = ''] = fences(section, 'groovy')
    const agent = `#!/bin/sh\ncase "$1" in secret) echo '${env.SNIPKEEP_KEY}' ;; annotate) echo "$4" ;; esac\n`
    await writeFile(join(folder, 'bin/buildkite-agent'), agent, { mode: 0o755 })
    const jobs = [
      commands(forgejo.jobs.report.steps),
      // Buildkite replaces variables with one dollar sign when it reads the pipeline.
      `unset SNIPKEEP_KEY\n${buildkite.steps[0].command.replaceAll('$$', '$')}`,
      commands(circle.jobs.report.steps),
      [...jenkins.matchAll(/\bsh(?:\(script:)? '([^']+)'/g)].map(([, command]) => command).join('\n'),
    ]
    for (const job of jobs) {
      expect(await shared(await shell(job))).toBe(report)
      expect(await taken('nightly-report')).toBe(report)
    }
  })

  it('the lines for cron save and print nothing', async () => {
    for (const script of fences('cron', 'sh')) await shell(script)
    for (const table of fences('cron', 'crontab')) {
      const [, command = ''] = /^15 3 \* \* \* (.+)$/m.exec(table) ?? []
      expect(await shell(command)).toBe('')
      expect(await taken('nightly-report')).toBe(report)
    }
  })

  it('the Makefile publishes and shares', async () => {
    const [makefile = ''] = fences('Makefile', 'makefile')
    await writeFile(join(folder, 'Makefile'), makefile)
    expect(await shell('make -s publish')).toBe('')
    expect(await taken('report')).toBe(report)
    expect(await shared(await shell('make -s share'))).toBe(report)
  })

  it('the key for npm start is extracted from the response', async () => {
    const [, setup = ''] = recipes
      .filter(({ section, language }) => section.startsWith('#') && language === 'sh')
      .map(({ text }) => text)
    const extract = /\| (sed -n '[^']+')/.exec(setup)?.[1]
    const { text } = await user.post('/api/keys', { name: 'extracted' })
    const { stdout } = await run('sh', ['-c', `printf %s "$1" | ${extract}`, 'sh', text])
    expect(stdout.trim()).toBe(JSON.parse(text).key)
  })
})
