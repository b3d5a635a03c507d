import { type ConfigurationEntry, configurationEntries, type Said } from './configuration-entries.js'
import type { ProcessVariables } from './processes.js'

function sentence(statements: readonly Said[]): string {
  const [only] = statements
  if (only !== undefined && statements.length === 1) return only.text
  return statements.map(({ text, processes }) => `${processes.join(', ')}: ${text}`).join(' ')
}

function defaults(statements: readonly Said[]): string {
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

/** `docs/configuration.md`: one table of every variable that a process reads. */
export function configurationTable(processes: readonly ProcessVariables[]): string {
  const rows = configurationEntries(processes).map((entry) => {
    const name = entry.secret ? `\`${entry.name}\` or \`${entry.name}_FILE\`` : `\`${entry.name}\``
    return `| ${[name, readers(entry, processes), sentence(entry.meanings), defaults(entry.defaults)].map(cell).join(' | ')} |`
  })
  return `# Configuration

Generated from the \`config.ts\` of each process by \`npm run generate\`; do not edit.

Every process reads its environment once, at startup, and reports all problems in one message. An empty variable counts as unset.
Secrets can also come from a file named by \`NAME_FILE\`. \`npm start\` passes its own environment on to the processes it starts, but
chooses the addresses, ports and secrets between them itself.

| variable | read by | meaning | default |
| --- | --- | --- | --- |
${rows.join('\n')}
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
  const blocks: string[] = []
  let before = ''
  for (const entry of configurationEntries(processes)) {
    const read = readers(entry, processes)
    if (read !== before) blocks.push(`# ---- read by ${read} ----\n`)
    before = read
    blocks.push(example(entry))
  }
  return `# Generated from the config.ts of each process by \`npm run generate\`; do not edit.
# Copy it to .env, remove the # before what you set, and: set -a; . ./.env; set +a; npm start

${blocks.join('\n')}`
}
