import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createTtlCache } from '#libs/cache/ttl-cache.js'
import { passwordsBusy } from '../domain/share-gate.js'
import type { PasswordHashing } from '../ports.js'

/** 32 MiB and some 200 ms of one core for each hash. */
const usualCost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1_048_576 }
const [saltBytes, hashBytes] = [16, 32]
/** Each takes one of libuv's four threads. New passwords never wait for checks, nor checks for them. */
const runningMax = { checks: 2, hashes: 1 }
/** With those that run, some five seconds of work. */
const waitingMax = 16
/** Passwords that were right, by a digest keyed by this process: checking one again takes no thread. */
const [provenMax, provenMs] = [1_000, 600_000]

const derive = promisify<string, Buffer, number, typeof usualCost, Buffer>(scrypt)

/** Runs a few at once; the others wait in order, and none waits behind many. */
function fewAtOnce(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running === most) {
      if (waiting.length === waitingMax) throw passwordsBusy()
      // Work that ends hands its place to the first that waits.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Keyboards write the same character in different ways, and who copies a password may copy a space with it. */
function sameSpelling(password: string): string {
  return password.trim().normalize('NFKC')
}

/** Hashes passwords with scrypt, as `scrypt$N$r$p$salt$hash`, so that the cost can grow later. */
export function scryptPasswords(cost = usualCost): PasswordHashing {
  const [checkInTurn, hashInTurn] = [fewAtOnce(runningMax.checks), fewAtOnce(runningMax.hashes)]
  const proven = createTtlCache<boolean>({
    now: () => performance.now(),
    sizeMax: provenMax,
    sizeOf: () => 1,
  })
  const digestKey = randomBytes(32)
  const digestOf = (spelling: string, stored: string): string =>
    createHmac('sha256', digestKey).update(`${stored}\n${spelling}`).digest('base64')

  const check = async (spelling: string, stored: string): Promise<boolean> => {
    const [kind, N, r, p, salt = '', hash = ''] = stored.split('$')
    if (kind !== 'scrypt') throw new Error('a stored password hash has an unknown form')
    const own = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem }
    const wanted = Buffer.from(hash, 'base64url')
    const found = await derive(spelling, Buffer.from(salt, 'base64url'), wanted.length, own)
    return timingSafeEqual(found, wanted)
  }

  return {
    hash: (password) =>
      hashInTurn(async () => {
        const { N, r, p } = cost
        const salt = randomBytes(saltBytes)
        const hash = await derive(sameSpelling(password), salt, hashBytes, cost)
        return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
      }),
    verify(password, stored) {
      const spelling = sameSpelling(password)
      return proven.resolve(digestOf(spelling, stored), async () => {
        const value = await checkInTurn(() => check(spelling, stored))
        return { value, ttlMs: value ? provenMs : 0 }
      })
    },
  }
}
