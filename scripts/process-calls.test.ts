import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { type SourceFile, sourceFiles } from './source-files.js'

const root = resolve(import.meta.dirname, '..')

/** Which process calls which RPC, as `gateway → SnippetService.createSnippet`. */
type Edges = ReadonlySet<string>

function methodsOf(service: string, protocols: readonly string[]): readonly string[] {
  const pattern = new RegExp(`^service ${service} \\{\n([\\s\\S]*?)^\\}`, 'm')
  // Each package may have a service of this name.
  const blocks = protocols.map((text) => pattern.exec(text)?.[1] ?? '')
  const names = [...blocks.join('\n').matchAll(/^\s*rpc (\w+)\(/gm)].map(([, name = '']) => name)
  return names.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`)
}

function protocolsOf(folder: string): readonly string[] {
  const protocols = resolve(folder, 'proto/snipkeep')
  const paths = readdirSync(protocols, { recursive: true, encoding: 'utf8' })
  return paths
    .filter((path) => path.endsWith('.proto'))
    .map((path) => readFileSync(resolve(protocols, path), 'utf8'))
}

function moduleOf(path: string): string | null {
  if (path.startsWith('gateway/')) return 'gateway'
  return /^services\/([^/]+)\//.exec(path)?.[1] ?? null
}

/**
 * The calls in the code: a module imports a service's client and passes its methods to `libs/grpc/call.ts`.
 */
function calls(sources: readonly SourceFile[], protocols: readonly string[]): Edges {
  const edges = new Set<string>()
  const modules = new Set(sources.flatMap(({ path }) => moduleOf(path) ?? []))
  for (const module of modules) {
    const files = sources.filter(({ path }) => moduleOf(path) === module)
    const own = files.map((file) => file.text).join('\n')
    // What several processes do alike stands in shared/.
    const imported = new Set(
      [...own.matchAll(/from '#(shared\/[^']+)\.js'/g)].map(([, path = '']) => `${path}.ts`),
    )
    const text = [own, ...sources.filter(({ path }) => imported.has(path)).map((file) => file.text)].join(
      '\n',
    )
    // A client of a generated class, or of a definition with custom decoding.
    const clients = [/\b(?:new |open\()(\w+Service)Client\b/g, /: typeof (\w+Service)Service = \{/g]
    const renamed = [...text.matchAll(/\b(\w+Service)Client as (\w+)\b/g)]
    const services = new Set([
      ...clients.flatMap((client) => [...text.matchAll(client)].map(([, name = '']) => name)),
      ...renamed.flatMap(([, name = '', alias]) =>
        text.includes(`new ${alias}(`) || text.includes(`open(${alias})`) ? [name] : [],
      ),
    ])
    const called = new Set(
      [
        ...text.matchAll(/\bcall(?:Unary|ServerStream|ClientStream|BothWays)\(\s*([\w.]+),\s*[\w.]+\.(\w+)/g),
      ].map(([, , method = '']) => method),
    )
    for (const service of services) {
      for (const method of methodsOf(service, protocols))
        if (called.has(method)) edges.add(`${module} → ${service}.${method}`)
    }
  }
  return edges
}

/** What the services allow: each method of a service to the same processes, except for those that are named. */
function allowances(sources: readonly SourceFile[], protocols: readonly string[]): Edges {
  const edges = new Set<string>()
  const tables = [
    /const callers: CallersOf<typeof (\w+)Service> = \{([^}]*)\}/g,
    /definition: (\w+)Service, handlers, callers: \{([^}]*)\}/g,
  ]
  for (const { path, text } of sources) {
    for (const [, service = '', rows = ''] of tables.flatMap((table) => [...text.matchAll(table)])) {
      const lists = new Map(
        [...rows.matchAll(/(\w+): \[([^\]]*)\]/g)].map(([, method = '', names = '']) => [method, names]),
      )
      const module = moduleOf(path) ?? ''
      const own = protocols.filter((protocol) => protocol.includes(`package snipkeep.${module}.`))
      for (const method of methodsOf(service, own)) {
        const names = lists.get(method) ?? lists.get('each') ?? ''
        for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) edges.add(`${name} → ${service}.${method}`)
      }
    }
  }
  return edges
}

it('every process may call exactly what its code calls', async () => {
  const sources = (await sourceFiles(root)).filter(
    ({ path }) =>
      (moduleOf(path) !== null || path.startsWith('shared/')) &&
      !/\.test\.ts$|\/testing\/|-contract\.ts$/.test(path),
  )
  const protocols = protocolsOf(root)
  const [called, allowed] = [calls(sources, protocols), allowances(sources, protocols)]
  expect(called.size).toBeGreaterThan(30)
  expect([...allowed].sort()).toEqual([...called].sort())
})

it('an unused permission and a forbidden call are distinguished', () => {
  const protocol =
    'package snipkeep.thing.v1;\nservice ThingService {\n  rpc ReadThing(A) returns (B);\n  rpc DropThing(A) returns (B);\n}\n'
  const client = {
    path: 'gateway/a.ts',
    text: 'new ThingServiceClient(x)\ncallUnary(things, things.readThing, {}, c)',
  }
  const server = (text: string): SourceFile => ({ path: 'services/thing/adapters/grpc-things.ts', text })
  const table =
    "const callers: CallersOf<typeof ThingServiceService> = { each: ['gateway'], dropThing: ['gateway', 'web'] }"
  const alike = "return { definition: ThingServiceService, handlers, callers: { each: ['gateway'] } }"
  expect([...calls([client], [protocol])]).toEqual(['gateway → ThingService.readThing'])
  expect([...allowances([server(table)], [protocol])]).toEqual([
    'gateway → ThingService.readThing',
    'gateway → ThingService.dropThing',
    'web → ThingService.dropThing',
  ])
  expect([...allowances([server(alike)], [protocol])]).toEqual([
    'gateway → ThingService.readThing',
    'gateway → ThingService.dropThing',
  ])
})
