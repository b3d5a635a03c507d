import { z } from 'zod'
import { sendJson } from '../answers/send-json.js'
import type { Operation } from './operation.js'

/** Whether each process behind the gateway answers, by name. */
export type CheckReadiness = () => Promise<Readonly<Record<string, boolean>>>

const health = z.object({ status: z.literal('ok') })
const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string(), z.enum(['ok', 'unreachable'])),
})

/** The operations by which machines ask how the gateway is. */
export function healthOperations(checkReadiness: CheckReadiness): readonly Operation[] {
  return [
    {
      method: 'get',
      path: '/healthz',
      operationId: 'getHealth',
      group: 'Operation',
      access: 'public',
      rate: 'never',
      summary: 'Whether the gateway is alive',
      answers: { 200: { description: 'It is.', schema: health } },
      refusals: [],
      async handle({ response }) {
        sendJson(response, 200, { status: 'ok' }, { 'Cache-Control': 'no-store' })
      },
    },
    {
      method: 'get',
      path: '/readyz',
      operationId: 'getReadiness',
      group: 'Operation',
      access: 'public',
      rate: 'never',
      summary: 'Whether the gateway and all that it needs can serve',
      answers: {
        200: { description: 'They can.', schema: readiness },
        503: { description: 'Something cannot be reached.', schema: readiness },
      },
      refusals: [],
      async handle({ response }) {
        const reachable = Object.entries(await checkReadiness())
        const ready = reachable.every(([, ok]) => ok)
        const checks = Object.fromEntries(reachable.map(([name, ok]) => [name, ok ? 'ok' : 'unreachable']))
        const headers = { 'Cache-Control': 'no-store', ...(ready ? {} : { 'Retry-After': '1' }) }
        sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', checks }, headers)
      },
    },
  ]
}
