import { describe, expect, it } from 'vitest'
import { findTool } from '#engine/tools/registry.js'
import { chosenEncoding, optionsForText } from './input-encoding.js'

describe('the encoding of the input', () => {
  it('is no option of a run on text', () => {
    const options = [
      ['indent', 'tab'],
      ['encoding', 'utf-16le'],
    ] as const
    expect([chosenEncoding(options), optionsForText(options)]).toEqual(['utf-16le', [['indent', 'tab']]])
    expect([chosenEncoding([]), optionsForText([])]).toEqual(['auto', []])
  })

  it('is not how a hash is written', () => {
    const options = [['encoding', 'base64']] as const
    expect(findTool('hash')?.options.safeParse(Object.fromEntries(options)).success).toBe(true)
    expect([chosenEncoding(options), optionsForText(options)]).toEqual(['auto', options])
  })
})
