import type { Check, Snipkeep } from '../sdk/exports.js'
import { jobUrl } from '../sdk/exports.js'
import { fromFile } from '../sdk/node.js'
import type { FileInput } from './inputs.js'
import type { Env } from './runner.js'

/** How a file was judged. */
export interface Checked {
  /** The snippet, by `@` and its name or by its id. */
  readonly reference: string
  readonly check: Check
}

/** Has a file judged by the contract of a snippet, whose tool and member of `data` it has unless `tool` is set. */
export async function checkFile(
  sk: Snipkeep,
  { path, check, ...ifNew }: FileInput,
  env: Env,
): Promise<Checked | null> {
  if (check === null) return null
  const { reference, accept, tool, title } = check
  const content = await fromFile(path)
  const candidate = { content, tool, title, ifNew, accept, source: jobUrl(env) }
  return { reference, check: await sk.checks.create(reference, candidate) }
}
