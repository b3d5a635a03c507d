import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cutAnywhere, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { findTool, tools } from './registry.js'
import { runTool } from './testing/run-tool.js'
import { reservedOptions, type ToolExample } from './tool.js'

const cases = tools.flatMap((tool) =>
  tool.examples.map((example, at) => [`${tool.name}, example ${at + 1}`, tool, example] as const),
)

function cutsOf({ input }: ToolExample): readonly (readonly Uint8Array[])[] {
  const bytes = Buffer.from(input)
  const random = Array.from({ length: 20 }, (_cut, seed) => cutAnywhere(bytes, seededRandom(seed)))
  return [[bytes], cutEvery(bytes, 1), cutEvery(bytes, 2), cutEvery(bytes, 3), ...random]
}

describe('every tool', () => {
  it.each(cases)(
    'makes the output of its examples, however the input is chunked: %s',
    async (_name, tool, example) => {
      for (const chunks of cutsOf(example))
        expect(Buffer.from(await runTool(tool, chunks, example.options)).toString()).toBe(example.output)
    },
  )

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s takes only its options, each with a default and a description',
    async (_name, tool) => {
      expect(tool.options.safeParse({}).success).toBe(true)
      expect(tool.options.safeParse({ unheard: 1 }).success).toBe(false)
      const { properties = {} } = z.toJSONSchema(tool.options, { io: 'input' })
      expect(Object.keys(properties).filter((name) => reservedOptions.some((word) => word === name))).toEqual(
        [],
      )
      for (const name of Object.keys(properties)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
      for (const [name, property] of Object.entries(properties))
        expect(property, name).toMatchObject({
          default: expect.anything(),
          description: expect.stringMatching(/\.$/),
        })
      const run = await tool.load()
      expect(() => run((async function* () {})(), { unheard: 1 })).toThrow(z.ZodError)
    },
  )

  it('has a name of its own, by which it is found', () => {
    expect(tools.map(({ name }) => findTool(name))).toEqual(tools)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    for (const { name } of tools) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(findTool('toString')).toBeNull()
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s says what is wrong with an empty input, or makes something of it',
    async (_name, tool) => {
      const made = await runTool(tool, []).catch((error: unknown) => error)
      if (made instanceof Error)
        expect(made).toMatchObject({ name: 'ToolInputError', code: expect.stringMatching(/^[a-z_0-9]+$/) })
      else expect(made).toBeInstanceOf(Uint8Array)
    },
  )
})
