import { type ConfigurationEntry, configurationEntries, type Statement } from './configuration-entries.js'
import type { ProcessVariables } from './processes.js'

/** What every installation sets, in this order; it stands at the beginning of both documents. */
export const essentials: readonly string[] = [
  'NODE_ENV',
  'PUBLIC_BASE_URL',
  'OIDC_ISSUERS',
  'DATABASE_URL',
  'REDIS_URL',
  'API_KEY_PEPPER',
  'TRUSTED_PROXIES',
]

/** The variables that every installation sets, and all others. */
function entriesOf(processes: readonly ProcessVariables[]) {
  const entries = configurationEntries(processes)
  const first = essentials.flatMap((name) => entries.filter((entry) => entry.name === name))
  return { first, others: entries.filter((entry) => !first.includes(entry)) }
}

function sentence(statements: readonly Statement[]): string {
  const [only] = statements
  if (only !== undefined && statements.length === 1) return only.text
  return statements.map(({ text, processes }) => `${processes.join(', ')}: ${text}`).join(' ')
}

function defaults(statements: readonly Statement[]): string {
  const [only] = statements
  if (only !== undefined && statements.length === 1) return only.text
  return statements.map(({ text, processes }) => `${text} (${processes.join(', ')})`).join(', ')
}

function readers(entry: ConfigurationEntry, processes: readonly ProcessVariables[]): string {
  return entry.processes.length === processes.length ? 'every process' : entry.processes.join(', ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function table(entries: readonly ConfigurationEntry[], processes: readonly ProcessVariables[]): string {
  const rows = entries.map((entry) => {
    const name = entry.secret ? `\`${entry.name}\` or \`${entry.name}_FILE\`` : `\`${entry.name}\``
    return `| ${[name, readers(entry, processes), sentence(entry.meanings), defaults(entry.defaults)].map(cell).join(' | ')} |`
  })
  return ['| variable | read by | meaning | default |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** `docs/configuration.md`: every variable that a process reads, beginning with those that all installations set. */
export function configurationTable(processes: readonly ProcessVariables[]): string {
  const { first, others } = entriesOf(processes)
  return `# Configuration

Generated from the \`config.ts\` of each process by \`npm run generate\`; do not edit.

Every process reads its environment once, at startup, and reports all problems in one message. An empty variable counts as unset.
Secrets can also come from a file named by \`NAME_FILE\`. \`npm start\` passes its own environment on to the processes it starts, but
chooses the addresses, ports and secrets between them itself.

## What every installation sets

\`npm start\` needs none of these, and \`deploy/compose/make-env.sh\` writes those that compose needs.

${table(first, processes)}

## Everything else

${table(others, processes)}
`
}

function example(entry: ConfigurationEntry): string {
  const lines = [
    `# ${sentence(entry.meanings)}`,
    `# Default: ${defaults(entry.defaults).replaceAll('`', '')}.`,
    ...(entry.secret ? [`# A secret; ${entry.name}_FILE can name a file that contains it.`] : []),
    `#${entry.name}=${entry.value ?? ''}`,
  ]
  return `${lines.join('\n')}\n`
}

/** `.env.example`: every variable, commented out, with its meaning and default. */
export function environmentExample(processes: readonly ProcessVariables[]): string {
  const { first, others } = entriesOf(processes)
  const blocks: string[] = ['# ---- set by every installation ----\n', ...first.map(example)]
  let before = ''
  for (const entry of others) {
    const read = readers(entry, processes)
    if (read !== before) blocks.push(`# ---- read by ${read} ----\n`)
    before = read
    blocks.push(example(entry))
  }
  return `# Generated from the config.ts of each process by \`npm run generate\`; do not edit.
# Copy it to .env, remove the # before what you set, and: set -a; . ./.env; set +a; npm start

${blocks.join('\n')}`
}
