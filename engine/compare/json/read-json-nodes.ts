import {
  afterSpace,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  stringEnd,
} from '../../json-bytes/json-bytes.js'
import type { HashSeed } from '../byte-hash.js'
import { CompareError } from '../comparison.js'
import { childPaths, type IgnoredPath, isIgnored } from '../ignored-paths.js'
import type { ProgressMeter } from '../progress-meter.js'
import { type JsonNodes, keyText, noKey } from './json-nodes.js'
import { invalidJson, type JsonTokens, jsonTokens } from './json-tokens.js'
import { type ContainerIds, ignoredId, type ScalarIds } from './value-ids.js'

/** Deeper documents are not compared; the server does not take them either. */
export const depthMax = 512

/** How many values a document has at most. */
export function nodesMax(bytes: Uint8Array): number {
  let count = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = stringEnd(bytes, at) - 1
    else if (byte === comma || byte === openBracket || byte === openBrace) count += 1
  }
  return count
}

/** What a document is read with. */
export interface NodeReading {
  readonly nodes: JsonNodes
  readonly scalars: ScalarIds
  readonly containers: ContainerIds
  readonly seed: HashSeed
  readonly byValue: boolean
  readonly ignored: readonly IgnoredPath[]
  /** In bytes. */
  readonly meter: ProgressMeter
}

/**
 * Reads one document into nodes from `firstNode` on, and returns the node behind its last.
 * @throws CompareError when it is not JSON, or too deep; it says which document that is.
 */
export function readJsonNodes(reading: NodeReading, isSecond: boolean, firstNode: number): number {
  try {
    return readNodes(reading, isSecond, firstNode)
  } catch (error) {
    if (!(error instanceof CompareError)) throw error
    throw new CompareError(error.code, error.message, isSecond ? 'second' : 'first')
  }
}

function readNodes(reading: NodeReading, isSecond: boolean, firstNode: number): number {
  const { nodes, scalars, containers, ignored, meter } = reading
  const { starts, ends, nexts, ids, keys, keyTable } = nodes
  const bytes = isSecond ? nodes.second : nodes.first
  const keyOffset = isSecond ? nodes.first.length : 0
  const tokens: JsonTokens = jsonTokens(bytes, reading.seed, reading.byValue)
  const opened = new Int32Array(depthMax + 1)
  /** How many children the open containers have had, where something may be ignored. */
  const counts = new Int32Array(depthMax + 1)
  const paths: (readonly IgnoredPath[])[] = [ignored]
  const hasIgnored = ignored.length > 0
  let [at, node, depth, key] = [afterSpace(bytes, 0), firstNode, 0, noKey]
  /** The depth of the value that is ignored and being read; 0 where none is. */
  let ignoring = 0

  function readKey(): void {
    if (bytes[at] !== quote) throw invalidJson('a member without a key', at)
    const end = tokens.stringEnd(at)
    key = keyTable.idOf(tokens.hash, at + keyOffset)
    at = afterSpace(bytes, end)
    if (bytes[at] !== colon) throw invalidJson('a key without a value', at)
    at = afterSpace(bytes, at + 1)
  }

  /** Before a value is read: looks whether it is ignored. */
  function enterPath(): void {
    const inside = paths[depth - 1] ?? []
    let own: readonly IgnoredPath[] = depth === 0 ? ignored : []
    if (depth > 0 && inside.length > 0 && ignoring === 0) {
      const index = counts[depth] ?? 0
      own = childPaths(inside, key === noKey ? String(index) : keyText(nodes, key))
      counts[depth] = index + 1
    }
    paths[depth] = own
    if (ignoring === 0 && isIgnored(own)) ignoring = depth + 1
  }

  /** After a value: what was ignored leaves no member behind, and an item that is like any other. */
  function leave(own: number): void {
    if (ignoring !== depth + 1) return
    ignoring = 0
    if (keys[own] !== noKey) {
      node = own
      return
    }
    ids[own] = ignoredId
    node = own + 1
    if (nexts[own] !== 0) nexts[own] = node
  }

  function close(): void {
    depth -= 1
    const own = opened[depth] ?? 0
    at += 1
    ends[own] = at
    nexts[own] = node
    if (ignoring === 0) ids[own] = containers.idOf(own)
    if (hasIgnored) leave(own)
  }

  /** An ignored value may have been read into the same node. */
  function forget(own: number): void {
    keys[own] = key
    ends[own] = 0
    nexts[own] = 0
  }

  /** Reads a string, number or word, or enters a container that has children; says whether it did. */
  function readValue(): boolean {
    const own = node
    node += 1
    if (hasIgnored) enterPath()
    const byte = bytes[at]
    starts[own] = at
    if (key !== noKey) keys[own] = key
    if (hasIgnored) forget(own)
    if (byte === openBrace || byte === openBracket) {
      if (depth === depthMax)
        throw new CompareError('too_deep', `A document is deeper than ${depthMax} levels.`)
      opened[depth] = own
      depth += 1
      counts[depth] = 0
      at = afterSpace(bytes, at + 1)
      if (bytes[at] === byte + 2) close()
      else return true
      return false
    }
    at = byte === quote ? tokens.stringEnd(at) : tokens.wordEnd(at)
    if (ignoring === 0) ids[own] = scalars.idOf(tokens.hash, own, at)
    if (hasIgnored) leave(own)
    return false
  }

  /** After a value: goes to the next one, and says whether there is any. */
  function goOn(): boolean {
    meter.at(keyOffset + at)
    for (;;) {
      at = afterSpace(bytes, at)
      if (depth === 0) return false
      const byte = bytes[at]
      const isObject = bytes[starts[opened[depth - 1] ?? 0] ?? 0] === openBrace
      if (byte === comma) {
        at = afterSpace(bytes, at + 1)
        key = noKey
        if (isObject) readKey()
        return true
      }
      if (byte !== (isObject ? closeBrace : closeBracket)) throw invalidJson('no comma and no end', at)
      close()
    }
  }

  do {
    while (readValue()) {
      key = noKey
      if (bytes[starts[opened[depth - 1] ?? 0] ?? 0] === openBrace) readKey()
    }
  } while (goOn())
  if (at < bytes.length) throw invalidJson('something after the value', at)
  return node
}
