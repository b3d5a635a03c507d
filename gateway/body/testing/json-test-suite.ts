import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One file of JSONTestSuite; the letter of its name says what a parser must do with it. */
export interface SuiteFile {
  readonly name: string
  readonly bytes: Buffer
}

const folder = fileURLToPath(
  new URL('../../../../shared/corpora/json-test-suite/test_parsing', import.meta.url),
)

/** Whether the corpus stands beside the repository; it is not part of it. */
export const suiteIsThere: boolean = existsSync(folder)

/** The files whose names begin so: `n_` must be refused, `y_` accepted, `i_` either. */
export function suiteFiles(prefix: 'n_' | 'y_' | 'i_'): readonly SuiteFile[] {
  if (!suiteIsThere) throw new Error(`JSONTestSuite is missing: its test_parsing folder must be at ${folder}`)
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(`${folder}/${name}`) }))
}
