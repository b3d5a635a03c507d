import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Stage {
  readonly from: string
  readonly body: string
}

const stages = new Map(
  [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+) AS (\S+)\n((?:(?!^FROM ).*\n?)*)/gm)].map(
    ([, from = '', name = '', body = '']): [string, Stage] => [name, { from, body }],
  ),
)

/** What a target is made by: its own lines after those of the stages that it comes from. */
function linesOf(target: string): string {
  const stage = stages.get(target)
  return stage === undefined ? '' : `${linesOf(stage.from)}${stage.body}`
}

test('the user of all-in-one has a name and the data as its home, since initdb refuses one without a name', () => {
  const lines = linesOf('all-in-one')
  const user = [...lines.matchAll(/^USER (\d+:\d+)$/gm)].at(-1)?.[1]
  const named = /appendFileSync\('\/etc\/passwd', '\w+:x:(\d+:\d+)::([^:]+):/.exec(lines)
  expect(named?.slice(1)).toEqual([user, '/data'])
  expect(lines).toMatch(/^VOLUME \/data$/m)
  const before = lines.slice(0, named?.index)
  expect([...before.matchAll(/^USER (\S+)$/gm)].at(-1)?.[1]).toBe('root')
})

test('what the README runs and publishes of all-in-one is in the image', () => {
  const readme = readFileSync('README.md', 'utf8')
  const exposed = /^EXPOSE (.*)$/m.exec(stages.get('all-in-one')?.body ?? '')?.[1]?.split(' ')
  const published = [...readme.matchAll(/--publish 127\.0\.0\.1:(\d+):(\d+)/g)].map(([, here, there]) => {
    expect(here).toBe(there)
    return there
  })
  expect(published).toEqual(exposed)
  const [, script = ''] = /docker exec snipkeep node dist\/(\S+)\.js/.exec(readme) ?? []
  expect(readFileSync(`${script}.ts`, 'utf8')).toContain('tokenFor')
})

test('the doctors that the pages name for a container are in its image', () => {
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
