import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processImports } from '../../scripts/process-packages.js'

interface Stage {
  readonly from: string
  readonly body: string
}

const dockerfile = readFileSync('Dockerfile', 'utf8')
const stages = new Map(
  [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)\n((?:(?!^FROM ).*\n?)*)/gm)].map(
    ([, from = '', name = '', body = '']): [string, Stage] => [name, { from, body }],
  ),
)

const packages: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync('deploy/container/packages.json', 'utf8'),
)
const lockfile: { packages: Readonly<Record<string, { dependencies?: object; peerDependencies?: object }>> } =
  JSON.parse(readFileSync('package-lock.json', 'utf8'))
const processes = [
  'gateway',
  'web',
  'content',
  'identity',
  'activity',
  'billing',
  'tools',
  'issuer',
  'sandbox',
]
const images = [...processes, 'all-in-one']

/** The lines of a target, after those of the stages that it is based on. */
function linesOf(target: string): string {
  const stage = stages.get(target)
  return stage === undefined ? '' : `${linesOf(stage.from)}${stage.body}`
}

test('the user of all-in-one has a name, which initdb requires, and the data folder as its home', () => {
  const lines = linesOf('all-in-one')
  const user = [...lines.matchAll(/^USER (\d+:\d+)$/gm)].at(-1)?.[1]
  const named = /appendFileSync\('\/etc\/passwd', '\w+:x:(\d+:\d+)::([^:]+):/.exec(lines)
  expect(named?.slice(1)).toEqual([user, '/data'])
  expect(lines).toMatch(/^VOLUME \/data$/m)
  const before = lines.slice(0, named?.index)
  expect([...before.matchAll(/^USER (\S+)$/gm)].at(-1)?.[1]).toBe('root')
})

test('the commands and ports that docs/operations.md uses with all-in-one exist in the image', () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const exposed = /^EXPOSE (.*)$/m.exec(stages.get('all-in-one')?.body ?? '')?.[1]?.split(' ')
  const published = [...page.matchAll(/--publish 127\.0\.0\.1:(\d+):(\d+)/g)].map(([, here, there]) => {
    expect(here).toBe(there)
    return there
  })
  expect(published).toEqual(exposed)
  const [, script = ''] = /docker exec snipkeep node dist\/(\S+)\.js/.exec(page) ?? []
  expect(readFileSync(`${script}.ts`, 'utf8')).toContain('tokenFor')
})

test('the doctors that the docs run in a container are in its image', () => {
  const pages = ['README.md', 'docs/operations.md'].map((page) => readFileSync(page, 'utf8')).join('\n')
  const named = [
    ...pages.matchAll(/(?:compose exec|deployment\/)(?:.*?)(\w+)(?: --)? node (dist\/\S+)\.js doctor/g),
  ]
  expect(named.length).toBeGreaterThan(3)
  for (const [, name = '', script = ''] of named) {
    expect(stages.get(name)?.body).toContain(`CMD ["node", "${script}.js"]`)
    expect(readFileSync(`${script.replace('dist/', '')}.ts`, 'utf8')).toContain("'doctor'")
  }
  const whole = linesOf('all-in-one')
  expect(whole).toMatch(/^COPY --from=build \/app\/dist dist$/m)
  for (const [, script = ''] of pages.matchAll(/node (dist\/deploy\/doctor\/main)\.js/g))
    expect(() => readFileSync(`${script.replace('dist/', '')}.ts`)).not.toThrow()
})

test('an image builds with any BuildKit from its base alone, even from a clone under a strict umask', () => {
  expect(dockerfile).not.toMatch(/^#\s*syntax\s*=/m)
  // Files that a process reads as another user get an explicit mode; all others come from stages that recreate them.
  const copied = ['foundation', 'development-part', 'grpc-service', ...images]
  for (const name of copied)
    for (const [line] of (stages.get(name)?.body ?? '').matchAll(/^COPY .*$/gm))
      expect(line).toMatch(/^COPY --(from=(build|packages|all-packages)|chmod=0644) /)
})

test('the image of the launcher has the bundles that it starts', () => {
  const lines = linesOf('all-in-one')
  expect(lines).toMatch(/^CMD \["node", "dist\/deploy\/launcher\/main\.js"\]$/m)
  expect(lines).toMatch(/^COPY --from=build \/app\/dist dist$/m)
  const [, steps = ''] =
    /^RUN (.*)$/m.exec(stages.get('build')?.body.replace(/^RUN .*npm ci.*$/m, '') ?? '') ?? []
  // The bundles are made of what the compiler has written.
  expect(steps).toMatch(/^npm run build:server && npm run build:bundles && /)
})

test('the build copies every folder that it compiles', () => {
  const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] }
  const copied = [...(stages.get('build')?.body ?? '').matchAll(/^COPY (\S+) \1$/gm)].map(([, path]) => path)
  expect(include.map((path) => path.split('/')[0]).filter((folder) => !copied.includes(folder))).toEqual([])
})

test('an image has every file that its processes import', () => {
  const imports = Object.entries(processImports('.'))
  expect(imports.map(([name]) => name)).toEqual(processes)
  for (const [name, { files }] of imports) {
    const copied = [...linesOf(name).matchAll(/^COPY --from=build \/app\/dist\/(\S+) dist\/\1$/gm)]
    const missing = files.filter((file) => !copied.some(([, folder]) => file.startsWith(`${folder}/`)))
    expect(missing, name).toEqual([])
  }
})

test('what the build copies is not ignored', () => {
  const allowed = readFileSync('.dockerignore', 'utf8').match(/^![\w-]+/gm)
  for (const [, paths = ''] of (stages.get('build')?.body ?? '').matchAll(/^COPY (?!--)(.*) \S+$/gm))
    for (const path of paths.split(' ')) expect(allowed, path).toContain(`!${path.replace(/\..*/, '')}`)
})

test('a starting container is probed every second', () => {
  const checks = [...dockerfile.matchAll(/^HEALTHCHECK .*$/gm)]
  expect(checks.length).toBe(6)
  for (const [line] of checks) expect(line).toContain(' --start-interval=1s ')
})

test('every image has its packages, once', () => {
  for (const name of processes)
    expect(linesOf(name).match(/^COPY --from=packages .*$/gm)).toEqual([
      `COPY --from=packages /packages/${name}/node_modules node_modules`,
    ])
  expect(linesOf('all-in-one').match(/^COPY .*node_modules.*$/gm)).toEqual([
    'COPY --from=all-packages /app/node_modules node_modules',
  ])
  expect(Object.keys(packages).sort()).toEqual([...processes].sort())
})

/** The packages with their dependencies, as npm installs them for production without optional ones. */
function closureOf(names: readonly string[]): ReadonlySet<string> {
  const paths = new Set(names.map((name) => `node_modules/${name}`))
  for (const path of paths) {
    const { dependencies = {}, peerDependencies = {} } = lockfile.packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const parents = path.split('/node_modules/').map((_part, index, parts) => parts.slice(0, index + 1))
      const places = [
        'node_modules',
        ...parents.map((parts) => `${parts.join('/node_modules/')}/node_modules`),
      ]
      const place = places.findLast((one) => lockfile.packages[`${one}/${name}`] !== undefined)
      if (place !== undefined) paths.add(`${place}/${name}`)
    }
  }
  return new Set([...paths].map((path) => path.split('node_modules/').at(-1) ?? path))
}

test('an image has no package of another process', () => {
  const foreign: Readonly<Record<string, RegExp>> = {
    gateway: /^(@aws-sdk|@smithy)\/|^(stripe|oidc-provider|knex|pg|cockatiel)$/,
    web: /^(@aws-sdk|@smithy)\/|^(stripe|oidc-provider|knex|pg|redis|express|jose)$/,
    content: /^(stripe|oidc-provider|express|jose|http-proxy-middleware)$/,
    identity: /^(@aws-sdk|@smithy)\/|^(stripe|oidc-provider|express|http-proxy-middleware)$/,
    activity: /^(@aws-sdk|@smithy)\/|^(stripe|oidc-provider|express|redis|jose)$/,
    billing: /^(@aws-sdk|@smithy)\/|^(oidc-provider|express|redis|jose)$/,
    tools: /^(@aws-sdk|@smithy)\/|^(stripe|oidc-provider|express|redis|jose|ipaddr)$/,
    issuer: /^(@aws-sdk|@smithy)\/|^(stripe|knex|pg|redis|express)$/,
    sandbox: /^(@aws-sdk|@smithy)\/|^(stripe|oidc-provider|knex|pg|redis|express)$/,
  }
  for (const [image, names] of Object.entries(packages)) {
    const all = [...closureOf(names)]
    expect(all.length, image).toBeGreaterThan(20)
    expect(
      all.filter((name) => foreign[image]?.test(name) ?? true),
      image,
    ).toEqual([])
  }
  expect([...closureOf(packages.content ?? [])]).toContain('@aws-sdk/client-s3')
})

test('bake reads only its own file, since docker-compose.yml requires an .env', () => {
  const places = [
    'Dockerfile',
    'docker-bake.hcl',
    'README.md',
    'deploy/kubernetes/README.md',
    'docs/operations.md',
  ]
  for (const place of [...places, '.github/workflows/release.yml'])
    expect(readFileSync(place, 'utf8')).not.toMatch(/buildx bake(?! --file docker-bake\.hcl)/)
})
