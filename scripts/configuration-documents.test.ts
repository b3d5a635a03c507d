import { describe, expect, it } from 'vitest'
import { removed } from '#libs/config/removed-variables.js'
import { flag, integer, internal, list, optional, port, secret, text } from '#libs/config/variables.js'
import { configurationTable, environmentExample, essentials } from './configuration-documents.js'
import { type ProcessVariables, readProcesses } from './processes.js'

const level = text('How much is logged.', 'info')

const processes: readonly ProcessVariables[] = [
  {
    process: 'gateway',
    variables: {
      LEVEL: level,
      HTTP_PORT: port('Where it listens.', 8080),
      ORIGINS: list('Who may call.', (item) => item, []),
      STRICT: flag('Whether a|b is refused.', false),
    },
  },
  {
    process: 'content',
    variables: {
      LEVEL: level,
      GRPC_PORT: port('Where it listens.', 50_051),
      DB: secret(text('The database.')),
      GRACE_MS: optional(integer('How long it waits.', { min: 0 })),
      INTERNAL_PAUSE_MS: internal(integer('How long tests wait.', { min: 0 }, 1)),
      TRUSTED_PROXIES: text('Who is trusted.', 'none'),
      NODE_ENV: text('Where it runs.', 'development'),
    },
  },
  {
    process: 'identity',
    variables: {
      LEVEL: level,
      GRPC_PORT: port('Where it listens.', 50_052),
      DB: secret(text('Its database.')),
    },
  },
]

function rows(): readonly string[] {
  return configurationTable(processes)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
}

it('what every installation sets is read by a process', async () => {
  const declared = (await readProcesses('.')).flatMap(({ variables }) => Object.keys(variables))
  expect(essentials.filter((name) => !declared.includes(name))).toEqual([])
  expect(Object.keys(removed).filter((name) => declared.includes(name))).toEqual([])
})

describe('configurationTable', () => {
  it('lists every variable but internal ones once: what all installations set, what all processes read, then by process', () => {
    expect(rows().map((row) => row.split('`')[1])).toEqual([
      'NODE_ENV',
      'TRUSTED_PROXIES',
      'LEVEL',
      'HTTP_PORT',
      'ORIGINS',
      'STRICT',
      'GRPC_PORT',
      'DB',
      'GRACE_MS',
    ])
    expect(rows()[2]).toBe('| `LEVEL` | every process | How much is logged. | `info` |')
  })

  it('says which process differs', () => {
    expect(rows()).toContain(
      '| `GRPC_PORT` | content, identity | Where it listens. | `50051` (content), `50052` (identity) |',
    )
  })

  it('marks secrets with the variable that names their file', () => {
    expect(rows()).toContain(
      '| `DB` or `DB_FILE` | content, identity | content: The database. identity: Its database. | required |',
    )
  })

  it('escapes a bar', () => {
    expect(rows()).toContain('| `STRICT` | gateway | Whether a\\|b is refused. | `false` |')
  })
})

describe('environmentExample', () => {
  const example = environmentExample(processes)

  it('sets nothing by itself', () => {
    expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })

  it('shows a default if there is one value, and nothing if there is none or several', () => {
    const shown = example.split('\n').filter((line) => /^#[A-Z]/.test(line))
    expect(shown).toEqual([
      '#NODE_ENV=development',
      '#TRUSTED_PROXIES=none',
      '#LEVEL=info',
      '#HTTP_PORT=8080',
      '#ORIGINS=',
      '#STRICT=false',
      '#GRPC_PORT=',
      '#DB=',
      '#GRACE_MS=',
    ])
  })

  it('explains each variable above it', () => {
    expect(example).toContain(
      '# content: The database. identity: Its database.\n# Default: required.\n# A secret; DB_FILE can name a file that contains it.\n#DB=\n',
    )
  })
})
