import { findNativeFolder, preparePostgresBinaries } from '#libs/embedded-postgres/postgres-binaries.js'

const { postgres, majorVersion } = await preparePostgresBinaries(await findNativeFolder(), null, '/nowhere')
process.stdout.write(`Postgres ${majorVersion} runs from ${postgres}.\n`)
