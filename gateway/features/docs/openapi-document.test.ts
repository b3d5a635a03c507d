import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { afterAll, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import type { Operation } from '../../http/operation.js'
import { createRequestLog } from '../../http/request-log.js'
import { createCors } from '../../http/responses.js'
import { createRateLimits } from '../../rate-limits/rate-limits.js'
import { createApp } from '../../server/app.js'
import { openApiDocument } from './openapi-document.js'
import { breakingChanges } from './testing/breaking-changes.js'
import { documentedOperations } from './testing/documented-operations.js'

const unlimited = { strict: null, standard: null, fairUse: null }
const base = 'https://snippets.example'
const { operations, plans, close } = documentedOperations(base)
afterAll(close)
const document = openApiDocument(operations, base)
const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>

interface RouterLayer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> }
}

function routesOfApp(): string[] {
  const none: RequestHandler = (_request, _response, next) => next()
  const unused = async (): Promise<never> => {
    throw new Error('this is not called')
  }
  const app = createApp({
    operations,
    admit: {
      authenticate: unused,
      limits: createRateLimits({ policies: unlimited, scope: 'create', window: { take: unused } }),
      plans,
    },
    clientAddress: () => '127.0.0.1',
    everyoneIsPro: false,
    cors: createCors([]),
    webProxy: none,
    requestLog: createRequestLog(createLogger('test', 'silent'), { count: () => {} }),
    log: createLogger('test', 'silent'),
  })
  const layers = (app.router as unknown as { stack: readonly RouterLayer[] }).stack
  return layers.flatMap(({ route }) =>
    route === undefined
      ? []
      : Object.keys(route.methods)
          .filter((method) => method !== '_all')
          .map((method) => `${method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`),
  )
}

describe('the OpenAPI document', () => {
  it('lists exactly the app’s routes', () => {
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    )
    expect(described.sort()).toEqual(routesOfApp().sort())
    expect(described.length).toBeGreaterThan(14)
  })

  it('is backwards compatible with the last release', () => {
    const released = JSON.parse(readFileSync('gateway/features/docs/released.json', 'utf8'))
    expect(breakingChanges(released, JSON.parse(JSON.stringify(document)))).toEqual([])
  })

  it('has no dangling references', () => {
    const text = JSON.stringify(document)
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas
    const referred = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(referred.length).toBeGreaterThan(10)
    for (const target of referred) {
      expect(target.startsWith('#/components/schemas/')).toBe(true)
      expect(Object.keys(schemas)).toContain(target.slice('#/components/schemas/'.length))
    }
    for (const [name, schema] of Object.entries(schemas)) expect(schema, name).toHaveProperty('properties')
  })

  it('gives every operation a unique id and its problems', () => {
    const described = Object.values(paths).flatMap((item) => Object.values(item))
    expect(new Set(described.map((one) => one.operationId)).size).toBe(described.length)
    for (const one of described) expect(JSON.stringify(one.responses)).toContain('application/problem+json')
  })

  it('describes every operation, and every group as a tag', () => {
    const described = Object.values(paths).flatMap((item) => Object.values(item))
    expect(described.filter(({ description }) => description === undefined)).toEqual([])
    const tags = document.tags as readonly { name: string; description: string }[]
    expect(tags.map(({ name }) => name)).toEqual([...new Set(operations.map(({ group }) => group))])
  })

  it('declares the body of every success, unless there is none', () => {
    const bodyless = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        Object.entries(responses as Record<string, object>)
          .filter(([status, response]) => status < '400' && !('content' in response))
          .map(([status]) => `${operationId} ${status}`),
      ),
    )
    expect(bodyless.filter((one) => !one.endsWith(' 304'))).toEqual([
      'deleteContract 204',
      'createReport 303',
      'callMcp 202',
    ])
  })

  it('has no schema that no value satisfies', () => {
    const isOf: Readonly<Record<string, (value: unknown) => boolean>> = {
      string: (value) => typeof value === 'string',
      boolean: (value) => typeof value === 'boolean',
      integer: Number.isInteger,
      number: (value) => typeof value === 'number',
      null: (value) => value === null,
      array: Array.isArray,
      object: (value) => typeof value === 'object' && value !== null,
    }
    const impossible = (schema: unknown, where: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return []
      const { type, const: only, enum: words } = schema as Record<string, unknown>
      const values = [...(only === undefined ? [] : [only]), ...(Array.isArray(words) ? words : [])]
      const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : Object.keys(isOf)
      const fits = (value: unknown): boolean => types.some((one) => isOf[String(one)]?.(value) === true)
      const inside = Object.entries(schema).flatMap(([name, one]) => impossible(one, `${where}/${name}`))
      return values.every(fits) ? inside : [where, ...inside]
    }
    expect(impossible({ a: { type: 'boolean', const: 'true' } }, '')).toEqual(['/a'])
    expect(impossible(document, '')).toEqual([])
  })

  it('documents unavailability and timeouts for every operation that calls another process', () => {
    const saidBy = ({ path, method }: Operation): string[] =>
      Object.keys(paths[path]?.[method]?.responses ?? {}).filter((status) => /^50[34]$/.test(status))
    for (const one of operations.filter(({ access }) => access !== 'public'))
      expect(saidBy(one), one.operationId).toEqual(['503', '504'])
    const withoutCredentials = operations.filter(({ access }) => access === 'public')
    expect(Object.fromEntries(withoutCredentials.map((one) => [one.operationId, saidBy(one)]))).toEqual({
      getShare: ['503', '504'],
      getShareRaw: ['503', '504'],
      revealShare: ['503', '504'],
      getOEmbed: ['503', '504'],
      createReport: ['503', '504'],
      exchangeToken: ['503', '504'],
      revokeToken: ['503', '504'],
      takeStripeEvent: ['503'],
      revokeHeldApiKey: ['503', '504'],
      listPlans: [],
      listTools: [],
      getOpenApi: [],
      getDocumentation: [],
      getApiSummary: [],
      getHealth: [],
      getReadiness: ['503'],
    })
  })

  it('repeats the limits of the schemas', () => {
    const body = JSON.stringify(paths['/api/snippets']?.post?.requestBody)
    expect(body).toContain('"maxLength":200')
    expect(body).toContain('"required":["tool","title","data"]')
    expect(body).toContain('"additionalProperties":false')
  })
})
