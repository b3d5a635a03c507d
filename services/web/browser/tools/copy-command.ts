import { quoted, shellString, withoutExpressions } from '../share/code-strings.js'
import type { OptionValues } from './option-values.js'

/** A run of a tool, and what it was run on. */
export interface CopiedRun {
  /** The base URL of the API. */
  readonly baseUrl: string
  readonly tool: string
  readonly title: string
  readonly options: OptionValues
  /** The name of the input as a file. */
  readonly inputFile: string
  /** The name of the output as a file. */
  readonly outputFile: string
}

/** What a run may be copied as. */
export const commandForms = ['curl', 'cli', 'actions'] as const
export type CommandForm = (typeof commandForms)[number]

/** Plain words as they are. */
function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellString(text)
}

/** The name of a file as an argument that no command takes for an option. */
function fileWord(name: string): string {
  return shellWord(name.startsWith('-') ? `./${name}` : name)
}

/** `final_newline` as the flag that it is on the command line; switches that are off have one of their own. */
function flag([name, value]: readonly [string, string]): string {
  const kebab = name.replaceAll('_', '-')
  if (value === 'true') return `--${kebab}`
  return value === 'false' ? `--no-${kebab}` : `--${kebab} ${shellWord(value)}`
}

function curl({ baseUrl, tool, options, inputFile }: CopiedRun): string {
  const query =
    options.length === 0 ? '' : `?${new URLSearchParams(options.map(([name, text]) => [name, text]))}`
  const address = shellWord(`${baseUrl}/api/tools/${tool}${query}`)
  return `curl -sS --fail-with-body -X POST -T ${fileWord(inputFile)} ${address} -H "X-API-Key: $KEY"`
}

function commandLine({ tool, options, inputFile }: CopiedRun): string {
  return ['snipkeep tool', tool, fileWord(inputFile), ...options.map(flag)].join(' ')
}

function yamlString(text: string): string {
  return quoted(withoutExpressions(text))
}

function actionsSteps(run: CopiedRun): string {
  const { baseUrl, tool, outputFile } = run
  return `- name: ${yamlString(run.title)}
  run: ${yamlString(`${curl(run)} --output ${fileWord(outputFile)}`)}
  env:
    KEY: \${{ secrets.SNIPKEEP_KEY }}
- uses: ./.github/actions/snipkeep
  with:
    server: ${yamlString(baseUrl)}
    key: \${{ secrets.SNIPKEEP_KEY }}
    file: ${yamlString(outputFile)}
    tool: ${tool}
`
}

/** Commands that do the same elsewhere, safe for any option and name. */
export function copiedCommand(form: CommandForm, run: CopiedRun): string {
  switch (form) {
    case 'curl':
      return curl(run)
    case 'cli':
      return commandLine(run)
    case 'actions':
      return actionsSteps(run)
    default:
      return form satisfies never
  }
}
