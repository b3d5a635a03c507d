import type { Holder, JobBounds, ToolJob } from '../domain/job.js'

/** A job of an account. */
export const minify: ToolJob = { kind: 'tool', name: 'json-minify', options: {} }

/** Bounds that no test reaches unless it wants to. */
export const patient: JobBounds = { workMs: 60_000, heldMs: 60_000, heapMegabytes: 96, addressMegabytes: 384 }

/** An account. */
export function holder(id: string, plan: Holder['plan'] = 'free'): Holder {
  return { id, plan, anonymous: false }
}

/** Input in these chunks. */
export async function* inputOf(...chunks: readonly (string | Uint8Array)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk as Uint8Array)
}

/** All of an output as text. */
export async function textOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of output) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
