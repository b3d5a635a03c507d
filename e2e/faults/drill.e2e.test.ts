import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isLong } from '../harness/iterations.js'

const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup']
const debian = '/usr/lib/postgresql'

/** A folder with all programs that a drill needs; `null` if there is none. */
function findPrograms(): string | null {
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))
    : []
  const folders = [process.env.PG_BIN ?? '', ...versions.map((version) => join(debian, version, 'bin'))]
  return (
    folders.find((folder) => folder !== '' && programs.every((name) => existsSync(join(folder, name)))) ??
    null
  )
}

const folder = findPrograms()
const why =
  folder === null
    ? ' (needs PG_BIN, a folder with initdb, postgres, pg_dump, pg_restore and pg_basebackup)'
    : ''

describe.skipIf(folder === null || !isLong)(`a backup drill, in the long run${why}`, () => {
  it('restores a dump and a point in time, row for row, and the system works with both', async () => {
    const env = { PATH: process.env.PATH ?? '', PG_BIN: folder ?? '', DRILL_SNIPPETS: '15' }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=snipkeep-source', '--import', 'tsx', 'scripts/drill/main.ts'],
      { env },
    )
    expect(stdout).toContain('The dump, restored:')
    expect(stdout).toContain('The named moment, recovered:')
    expect(stdout).toMatch(/\| content\.snippet \| 16 \| 16 \| equal \|/)
    expect(stdout).toMatch(/\| content\.snippet \| 31 \| 31 \| equal \|/)
    expect(stdout).not.toContain('DIFFERENT')
    expect(stdout.match(/snippets are read byte for byte/g)).toHaveLength(2)
    expect(stdout.match(/what was erased after the backup is erased again/g)).toHaveLength(2)
    expect(stdout.trim().split('\n').at(-1)).toBe('Everything that was backed up is there again.')
  })

  it('fails with a clear message without the programs', async () => {
    const env = { PATH: process.env.PATH ?? '', PG_BIN: '/nowhere' }
    const failed = promisify(execFile)(
      process.execPath,
      ['--conditions=snipkeep-source', '--import', 'tsx', 'scripts/drill/main.ts'],
      { env },
    )
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PG_BIN names the folder'),
    })
  })
})
