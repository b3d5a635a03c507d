import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of a corpus: test data of others that is not part of the repository. It is below `CORPORA_DIR`,
 * in `.corpora`, where `npm run corpora` puts it, or beside the repository; `null` if it is missing.
 * @throws Error if it is missing and `REQUIRE_CORPORA=true`.
 */
export function corpusFolder(name: string): string | null {
  const { CORPORA_DIR, REQUIRE_CORPORA } = process.env
  const folders = [CORPORA_DIR, join(root, '.corpora'), join(root, '../shared/corpora')]
  const found = folders
    .filter((place) => place !== undefined)
    .map((place) => join(place, name))
    .find((folder) => existsSync(folder))
  if (found === undefined && REQUIRE_CORPORA === 'true')
    throw new Error(`The corpus ${name} is missing; npm run corpora fetches it.`)
  return found ?? null
}
