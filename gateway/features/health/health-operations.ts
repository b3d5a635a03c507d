import { z } from 'zod'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'

/** `reachable` names each dependency and whether it responds; empty if the operator hides it. */
export type CheckReadiness = () => Promise<{
  readonly ready: boolean
  readonly reachable: Readonly<Record<string, boolean>>
}>

const health = z.object({ status: z.literal('ok') })
const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string(), z.enum(['ok', 'unreachable'])),
})

export function healthOperations(checkReadiness: CheckReadiness): readonly Operation[] {
  return [
    {
      method: 'get',
      path: '/healthz',
      anyParameter: true,
      operationId: 'getHealth',
      group: 'Operation',
      access: 'public',
      rate: 'never',
      summary: 'Check that the gateway is alive',
      description: 'Asks no other process, as a liveness probe should.',
      responses: { 200: { description: 'Alive.', schema: health } },
      refusals: [],
      async handle({ response }) {
        sendJson(response, 200, { status: 'ok' }, { 'Cache-Control': 'no-store' })
      },
    },
    {
      method: 'get',
      path: '/readyz',
      anyParameter: true,
      operationId: 'getReadiness',
      group: 'Operation',
      access: 'public',
      rate: 'never',
      summary: 'Check that the gateway is ready, and which services are reachable',
      description: 'For readiness probes and load balancers.',
      responses: {
        200: {
          description:
            'Ready: every service has responded since startup (issuers need not have). While a service is unreachable, only its routes fail; while `issuers` is unreachable, requests with identity tokens get 503. `checks` is empty if the operator hides the details.',
          schema: readiness,
        },
        503: { description: 'Starting up or shutting down.', schema: readiness },
      },
      refusals: [],
      async handle({ response }) {
        const { ready, reachable } = await checkReadiness()
        const named = Object.entries(reachable).map(([name, ok]) => [name, ok ? 'ok' : 'unreachable'])
        const checks: unknown = Object.fromEntries(named)
        const headers = { 'Cache-Control': 'no-store', ...(ready ? {} : { 'Retry-After': '1' }) }
        sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', checks }, headers)
      },
    },
  ]
}
