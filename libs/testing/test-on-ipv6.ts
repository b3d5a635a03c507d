import { networkInterfaces } from 'node:os'
import { test } from 'vitest'

/** A test that listens on ::1; without IPv6 it is reported as skipped, with the reason. */
export function testOnIpv6(name: string, body: () => Promise<void>): void {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const has = addresses.some(({ address }) => address === '::1')
  test.runIf(has)(has ? name : `${name} (needs IPv6: this machine has no ::1)`, body)
}
