import { describe, expect, it } from 'vitest'
import { shareAddressProblems, sharesAreApart } from './share-address.js'

const main = 'https://snip.example'
const problemsOf = (shareBaseUrl: string | null, publicBaseUrl: string | null = main, mode = 'production') =>
  shareAddressProblems({ NODE_ENV: mode, PUBLIC_BASE_URL: publicBaseUrl, SHARE_BASE_URL: shareBaseUrl })

describe('the URL of share pages', () => {
  it('may be missing, the same, or on another host', () => {
    for (const address of [null, main, 'https://shares.example', 'https://snip.example:8443'])
      expect(problemsOf(address), String(address)).toEqual([])
    expect(problemsOf('http://shares.localhost:8080', 'http://localhost:8080', 'development')).toEqual([])
  })

  it('is as secure as the public URL', () => {
    expect(problemsOf('http://shares.example')).toEqual([expect.stringContaining('https://')])
    expect(problemsOf('http://shares.example', main, 'development')).toHaveLength(1)
    expect(problemsOf('https://shares.example', null)).toEqual([expect.stringContaining('PUBLIC_BASE_URL')])
  })

  it('separates them if it is another origin', () => {
    expect(sharesAreApart(main, 'https://shares.example')).toBe(true)
    expect(sharesAreApart(main, 'https://snip.example:8443')).toBe(true)
    expect(sharesAreApart(main, `${main}:443`)).toBe(false)
  })
})
