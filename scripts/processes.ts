import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Variable, Variables } from '#libs/config/variables.js'

/** A process and the variables it reads. */
export interface ProcessVariables {
  readonly process: string
  readonly variables: Variables
}

async function configFiles(root: string): Promise<readonly (readonly [process: string, path: string])[]> {
  const services = await readdir(resolve(root, 'services'))
  const files: readonly (readonly [string, string])[] = [
    ['gateway', 'gateway/config.ts'],
    ...services.sort().map((name) => [name, `services/${name}/config.ts`] as const),
    ['npm start', 'deploy/launcher/config.ts'],
  ]
  return files.filter(([, path]) => existsSync(resolve(root, path)))
}

function isVariable(value: unknown): value is Variable<unknown> {
  return typeof value === 'object' && value !== null && 'description' in value && 'fallbackText' in value
}

function isVariables(value: unknown): value is Variables {
  return typeof value === 'object' && value !== null && Object.values(value).every(isVariable)
}

/**
 * Every process that an operator configures, the gateway first, with the `variables` from its `config.ts`.
 * The development issuer is not included: only `npm start` starts it, and sets everything it reads.
 */
export async function readProcesses(root: string): Promise<readonly ProcessVariables[]> {
  const files = await configFiles(root)
  return Promise.all(
    files.map(async ([process, path]) => {
      const loaded: unknown = await import(pathToFileURL(resolve(root, path)).href)
      const variables =
        typeof loaded === 'object' && loaded !== null && 'variables' in loaded ? loaded.variables : null
      if (!isVariables(variables)) throw new Error(`${path} must export its variables as \`variables\`.`)
      return { process, variables }
    }),
  )
}
