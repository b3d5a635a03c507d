import type { Snipkeep } from '../sdk/snipkeep.js'
import type { Context } from './context.js'
import { passwordFrom } from './secret-from-stdin.js'

/** Only ids of gated shares are so long. */
const gatedIdLength = 24

/** The grant that opens a gated share, after using up one of its views; none for other shares. */
export async function revealed(
  context: Context,
  sk: Snipkeep,
  id: string,
  withPassword: boolean,
): Promise<string | undefined> {
  if (id.length !== gatedIdLength) return undefined
  const password = withPassword ? await passwordFrom(context) : undefined
  const { grant, views_left: left } = await sk.shares.reveal(id, password)
  if (typeof left === 'number')
    await context.note(left === 0 ? 'This was its last view.' : `It can be opened ${left} more times.`)
  return grant
}
