import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

const file = 'clients/gitlab/templates/snipkeep.yml'

interface Component {
  readonly inputs: Readonly<Record<string, { default?: string | boolean; regex?: string }>>
  readonly job: {
    readonly variables: Readonly<Record<string, string>>
    readonly script: readonly string[]
    readonly artifacts: { readonly reports: { readonly annotations: string } }
  }
}

/** The component with its inputs filled in, as GitLab does before parsing the rest. */
export async function included(given: Readonly<Record<string, string>>): Promise<Component> {
  const [header = '', body = ''] = (await readFile(file, 'utf8')).split(/^---$/m)
  const { inputs } = parse(header).spec as Pick<Component, 'inputs'>
  const filled = body.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_all, name: string) => {
    const value = given[name] ?? inputs[name]?.default
    if (value === undefined) throw new Error(`no input ${name}`)
    if (!new RegExp(inputs[name]?.regex ?? '').test(`${value}`)) throw new Error(`${name} does not match`)
    return `${value}`
  })
  return {
    inputs,
    job: Object.values(parse(filled) as Record<string, Component['job']>)[0] as Component['job'],
  }
}

/** A link on the page of a job. */
interface Link {
  readonly label: string
  readonly url: string
}

/** A job that has ended: whether it failed, its log and its links. */
export interface EndedJob {
  readonly code: number
  readonly out: string
  readonly links: readonly Link[]
}

/** Runs the job of the component in a folder. */
export async function runJob(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Promise<EndedJob> {
  const { variables, script, artifacts } = (await included({ file: 'report.csv', ...inputs })).job
  const env = {
    PATH: process.env.PATH ?? '',
    CI_PROJECT_ID: '9',
    CI_PROJECT_PATH: 'acme/website',
    CI_COMMIT_SHA: 'abc',
    CI_JOB_ID: `${Math.random()}`.slice(2),
    CI_JOB_URL: 'https://gitlab.example/acme/website/-/jobs/8',
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? ''])),
    ...more,
  }
  const { code, out } = await new Promise<{ code: number; out: string }>((ended) => {
    execFile('sh', ['-c', script.join('\n')], { cwd: folder, env }, (error, stdout, stderr) =>
      ended({ code: error === null ? 0 : 1, out: `${stdout}${stderr}` }),
    )
  })
  const { snipkeep } = JSON.parse(await readFile(join(folder, artifacts.reports.annotations), 'utf8'))
  const links = snipkeep as { external_link: Link }[]
  return { code, out, links: links.map(({ external_link: link }) => link) }
}
