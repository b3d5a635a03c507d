import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../dev/issuer/config.js'
import { compose } from '../../dev/issuer/wire.js'

/** The issuer of `npm start`, in this process. */
export interface DevelopmentIssuer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts one for the installation at this address, on a port of this machine. */
export async function startDevelopmentIssuer(
  port: number,
  publicBaseUrl: string,
): Promise<DevelopmentIssuer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-issuer-'))
  const url = `http://127.0.0.1:${port}`
  const running = await compose(
    readConfig({
      DEV_ISSUER_HOST: '127.0.0.1',
      DEV_ISSUER_PORT: String(port),
      DEV_ISSUER_URL: url,
      DATA_DIR: dataDir,
      PUBLIC_BASE_URL: publicBaseUrl,
      LOG_LEVEL: 'silent',
    }),
  )
  return {
    url,
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
