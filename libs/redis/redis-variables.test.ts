import { describe, expect, it } from 'vitest'
import { readVariables } from '../config/read-variables.js'
import { redisVariables } from './redis-variables.js'

const read = (url: string) => readVariables(redisVariables, { REDIS_URL: url }).REDIS_URL

describe('REDIS_URL', () => {
  it('defaults to none, and is kept as written', () => {
    expect(readVariables(redisVariables, {}).REDIS_URL).toBeNull()
    for (const url of [
      'redis://localhost',
      'redis://user:p%40ss@[::1]:6380/15',
      'rediss://:pass@cache.example/',
    ]) {
      expect(read(url)).toBe(url)
    }
  })

  it('is rejected at startup when invalid, without printing its password', () => {
    const secret = 's3cret'
    for (const url of [
      `redis//:${secret}@host`,
      `redis://:${secret}@host:99999`,
      `http://:${secret}@host`,
      `redis://:${secret}%zz@host`,
      `redis://:${secret}@host/first`,
      `redis://`,
    ]) {
      let refusal: unknown
      try {
        read(url)
      } catch (error) {
        refusal = error
      }
      expect(String(refusal), url).toMatch(/REDIS_URL must be a URL such as/)
      expect(JSON.stringify(refusal) + String(refusal)).not.toContain(secret)
    }
  })
})
