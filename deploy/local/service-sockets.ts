import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { socketPathBytesMax } from '#libs/runtime/stale-socket.js'
import { LaunchError } from './launch-error.js'

/** Where each service of a run offers gRPC, as its callers name it. */
export interface ServiceAddresses {
  readonly content: string
  readonly identity: string
  readonly activity: string
  readonly billing: string
}

/** The sockets of one run. */
export interface ServiceSockets {
  readonly addresses: ServiceAddresses
  /** Removes their folder, once nobody listens there. */
  remove(): Promise<void>
}

const scheme = 'unix:'

function addressesIn(dir: string): ServiceAddresses {
  const address = (service: string): string => `${scheme}${join(dir, `${service}.sock`)}`
  return {
    content: address('content'),
    identity: address('identity'),
    activity: address('activity'),
    billing: address('billing'),
  }
}

function areShortEnough(addresses: ServiceAddresses): boolean {
  return Object.values(addresses).every(
    (address: string) => Buffer.byteLength(address) - scheme.length <= socketPathBytesMax,
  )
}

/** Some file systems hold no sockets. */
function holdsSockets(dir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(join(dir, 'probe.sock'), () => probe.close(() => resolve(true)))
  })
}

async function inDataDir(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'run')
  // What is there was left by a run that was killed: whoever holds the data folder runs alone.
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { mode: 0o700 })
  return dir
}

/**
 * A folder that no other user of this machine may enter, for the sockets of services: on a loopback port anybody here
 * could call them in the name of anybody. It is in the data folder, or in that for temporary files where the path would
 * be too long for a socket or the file system holds none.
 * @param dataDir held by this process alone.
 * @throws LaunchError when there is no place for sockets.
 */
export async function openServiceSockets(dataDir: string): Promise<ServiceSockets> {
  for (const open of [() => inDataDir(dataDir), () => mkdtemp(join(tmpdir(), 'snipkeep-'))]) {
    const dir = await open()
    const remove = (): Promise<void> => rm(dir, { recursive: true, force: true })
    const addresses = addressesIn(dir)
    if (areShortEnough(addresses) && (await holdsSockets(dir))) return { addresses, remove }
    await remove()
  }
  throw new LaunchError(
    `Neither ${dataDir} nor the temporary folder ${tmpdir()} can hold sockets of services; set DATA_DIR to a shorter path on a local disk.`,
  )
}
