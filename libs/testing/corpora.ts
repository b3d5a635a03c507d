import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of a corpus: test data of others that is not part of the repository. It is below `CORPORA_DIR`,
 * in `.corpora`, where `npm run corpora` puts it, or beside the repository; `null` if it is missing.
 * @param need of an optional one, which not every machine can fetch, tests are skipped in any case.
 * @throws Error if it is missing and `REQUIRE_CORPORA=true`, unless it is optional.
 */
export function corpusFolder(name: string, need: 'required' | 'optional' = 'required'): string | null {
  const { CORPORA_DIR, REQUIRE_CORPORA } = process.env
  const folders = [CORPORA_DIR, join(root, '.corpora'), join(root, '../shared/corpora')]
  const found = folders
    .filter((place) => place !== undefined)
    .map((place) => join(place, name))
    .find((folder) => existsSync(folder))
  if (found === undefined && REQUIRE_CORPORA === 'true' && need === 'required')
    throw new Error(`The corpus ${name} is missing; npm run corpora fetches it.`)
  return found ?? null
}
