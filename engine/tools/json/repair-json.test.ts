import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { randomJson } from '../testing/random-documents.js'
import { runOnText } from '../testing/run-tool.js'
import { ToolInputError } from '../tool.js'
import { jsonMinify } from './json-minify.js'
import { jsonRepair } from './json-repair.js'

describe('repairing JSON', () => {
  it('leaves valid JSON as it is, byte for byte', async () => {
    const random = seededRandom(1)
    for (let round = 0; round < 500; round += 1) {
      const text = randomJson(random)
      expect(await runOnText(jsonRepair, text)).toBe(text)
    }
  })

  it('makes valid JSON of damaged JSON, or says that it cannot', async () => {
    const random = seededRandom(2)
    for (let round = 0; round < 1_000; round += 1) {
      const text = randomJson(random)
      const at = random.below(text.length)
      const changed =
        text.slice(0, at) + random.pick(['', '"', ',', '}', ']', '\\', 'x', '0', '\n']) + text.slice(at + 1)
      const made = await runOnText(jsonRepair, changed).catch((error: unknown) => error)
      if (typeof made === 'string') await runOnText(jsonMinify, made)
      else expect(made).toBeInstanceOf(ToolInputError)
    }
  })

  it('keeps the digits of numbers where it repairs something else', async () => {
    expect(await runOnText(jsonRepair, '[12345678901234567890, 1.50, 1e400,')).toBe(
      '[12345678901234567890, 1.50, 1e400]',
    )
  })

  it('takes valid JSON of any size, and repairs as much as fits into the memory of a run', async () => {
    const long = `["${'x'.repeat(2_200_000)}"]`
    expect(await runOnText(jsonRepair, `\ufeff${long}`)).toBe(long)
    await expect(runOnText(jsonRepair, `${long},`)).rejects.toMatchObject({ code: 'input_too_large' })
  })

  it('says where nothing can be repaired', async () => {
    await expect(runOnText(jsonRepair, '')).rejects.toMatchObject({ code: 'not_repairable' })
    await expect(runOnText(jsonRepair, '['.repeat(100_000))).rejects.toMatchObject({ name: 'ToolInputError' })
  })
})
