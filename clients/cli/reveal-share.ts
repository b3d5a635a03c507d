import type { Context } from './context.js'
import { passwordFrom } from './secret-from-stdin.js'
import type { shareAt } from './upload.js'

/** Only ids of gated shares are so long. */
const gatedIdLength = 24

/** The header that opens a gated share, after using up one of its views; none for other shares. */
export async function revealed(
  context: Context,
  { server, id }: NonNullable<ReturnType<typeof shareAt>>,
  withPassword: boolean,
): Promise<Readonly<Record<string, string>>> {
  if (id.length !== gatedIdLength) return {}
  const password = withPassword ? await passwordFrom(context) : undefined
  const api = await context.api('public', server)
  const body = JSON.stringify({ password })
  const { grant, views_left: left } = await api.json('POST', `/api/shares/${id}/reveal`, {
    body,
    retry: 'never',
  })
  if (typeof left === 'number')
    await context.note(left === 0 ? 'This was its last view.' : `It can be opened ${left} more times.`)
  return { 'Snipkeep-Grant': String(grant) }
}
