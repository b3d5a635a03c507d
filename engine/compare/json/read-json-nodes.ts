import { comma, openBrace, openBracket, quote, stringEnd } from '../../json-bytes/json-bytes.js'
import { endProblem, jsonProblem } from '../../json-bytes/json-problem.js'
import { depthMax, JsonScanner } from '../../json-bytes/json-scanner.js'
import { markLength } from '../../mark-length.js'
import type { HashSeed } from '../byte-hash.js'
import { CompareError } from '../comparison.js'
import { childPaths, isIgnored, type PathNode } from '../path-tree.js'
import type { ProgressMeter } from '../progress-meter.js'
import { hashOfScalar, hashOfString } from './canonical-scalar.js'
import { type JsonNodes, keyText, noKey } from './json-nodes.js'
import { type ContainerIds, ignoredId, type ScalarIds } from './value-ids.js'

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
  /** Whether values of the first document have numbers; those of the second do. */
  readonly firstIds: boolean
  readonly ignored: readonly PathNode<true>[]
  /** In bytes. */
  readonly meter: ProgressMeter
}

/** Reads one document into nodes. */
class NodeReader extends JsonScanner {
  private readonly reading: NodeReading
  private readonly bytes: Uint8Array
  private readonly keyOffset: number
  private readonly hasIgnored: boolean
  private readonly hasIds: boolean
  private node: number
  /** The key of the member that comes. */
  private nextKey = noKey
  private readonly opened = new Int32Array(depthMax + 1)
  /** How many children the open containers have had, where something may be ignored. */
  private readonly counts = new Int32Array(depthMax + 1)
  private readonly paths: (readonly PathNode<true>[])[]
  /** The depth of the value that is ignored and being read, plus 1; 0 where none is. */
  private ignoring = 0

  constructor(reading: NodeReading, isSecond: boolean, firstNode: number) {
    super()
    const { nodes, ignored } = reading
    this.reading = reading
    this.bytes = isSecond ? nodes.second : nodes.first
    this.keyOffset = isSecond ? nodes.first.length : 0
    this.hasIgnored = ignored.length > 0
    this.hasIds = isSecond || reading.firstIds
    this.node = firstNode
    this.paths = [ignored]
  }

  read(): number {
    const { bytes } = this
    if (!this.scanAll(bytes, markLength(bytes)))
      throw invalidJson(endProblem(this.state, this.depth), bytes.length)
    return this.node
  }

  protected override key(bytes: Uint8Array, start: number, end: number): void {
    const { nodes, seed } = this.reading
    this.nextKey = nodes.keyTable.idOf(hashOfString(seed, bytes, start, end), start + this.keyOffset)
  }

  protected override scalar(bytes: Uint8Array, start: number, end: number): void {
    const own = this.beginNode(start)
    const { nodes, scalars, seed, byValue } = this.reading
    if (this.ignoring === 0 && this.hasIds)
      nodes.ids[own] = scalars.idOf(hashOfScalar(seed, bytes, start, end, byValue), own, end)
    if (this.hasIgnored) this.leaveIgnored(own, this.depth)
  }

  protected override open(_isObject: boolean, at: number): void {
    this.opened[this.depth] = this.beginNode(at)
    this.counts[this.depth + 1] = 0
    this.nextKey = noKey
  }

  protected override close(_isObject: boolean, at: number): void {
    const { nodes, containers } = this.reading
    const depth = this.depth - 1
    const own = this.opened[depth] ?? 0
    nodes.ends[own] = at + 1
    nodes.nexts[own] = this.node
    if (!this.hasIds) containers.look(own)
    else if (this.ignoring === 0) nodes.ids[own] = containers.idOf(own)
    if (this.hasIgnored) this.leaveIgnored(own, depth)
  }

  protected override comma(at: number): void {
    this.nextKey = noKey
    this.reading.meter.at(this.keyOffset + at)
  }

  protected override fail(bytes: Uint8Array, at: number): never {
    throw invalidJson(jsonProblem(this.state, bytes[at] as number, this.isInObject()), at)
  }

  protected override tooDeep(): never {
    throw new CompareError('too_deep', `A document is deeper than ${depthMax} levels.`)
  }

  private beginNode(start: number): number {
    const { starts, ends, nexts, keys } = this.reading.nodes
    const own = this.node
    this.node += 1
    if (this.hasIgnored) {
      this.enterPath()
      // An ignored value may have been read into the same node.
      keys[own] = this.nextKey
      ends[own] = 0
      nexts[own] = 0
    } else if (this.nextKey !== noKey) keys[own] = this.nextKey
    starts[own] = start
    return own
  }

  /** Before a value is read: looks whether it is ignored. */
  private enterPath(): void {
    const { depth, nextKey } = this
    const { ignored, nodes } = this.reading
    const inside = this.paths[depth - 1] ?? []
    let own: readonly PathNode<true>[] = depth === 0 ? ignored : []
    if (depth > 0 && inside.length > 0 && this.ignoring === 0) {
      const index = this.counts[depth] ?? 0
      own = childPaths(inside, nextKey === noKey ? String(index) : keyText(nodes, nextKey))
      this.counts[depth] = index + 1
    }
    this.paths[depth] = own
    if (this.ignoring === 0 && isIgnored(own)) this.ignoring = depth + 1
  }

  /** After a value: what was ignored leaves no member behind, and an item that is like any other. */
  private leaveIgnored(own: number, depth: number): void {
    if (this.ignoring !== depth + 1) return
    const { ids, keys, nexts } = this.reading.nodes
    this.ignoring = 0
    if (keys[own] !== noKey) {
      this.node = own
      return
    }
    ids[own] = ignoredId
    this.node = own + 1
    if (nexts[own] !== 0) nexts[own] = this.node
  }
}

/** A refusal that says where the document stops being JSON. */
function invalidJson(problem: string, at: number): CompareError {
  return new CompareError('invalid_json', `This is not JSON: ${problem} The mistake is at byte ${at}.`)
}

/**
 * Reads one document into nodes from `firstNode` on, and returns the node behind its last.
 * @throws CompareError when it is not JSON, or too deep; it says which document that is.
 */
export function readJsonNodes(reading: NodeReading, isSecond: boolean, firstNode: number): number {
  try {
    return new NodeReader(reading, isSecond, firstNode).read()
  } catch (error) {
    if (!(error instanceof CompareError)) throw error
    throw new CompareError(error.code, error.message, isSecond ? 'second' : 'first')
  }
}
