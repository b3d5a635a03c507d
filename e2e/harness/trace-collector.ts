import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received span. */
export interface CollectedSpan {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root span of a trace. */
  readonly parentId: string
  readonly attributes: Readonly<Record<string, string | number>>
  /** Whether its status is an error. */
  readonly failed: boolean
}

/** A fake OpenTelemetry collector that receives OTLP over HTTP. */
export interface TraceCollector {
  readonly url: string
  spans(): readonly CollectedSpan[]
  /** Everything received, unparsed. */
  bytes(): Buffer
  stop(): Promise<void>
}

type Field = readonly [number: number, value: Buffer | bigint]

function varint(bytes: Buffer, from: number): readonly [bigint, number] {
  let value = 0n
  for (let index = from, shift = 0n; index < bytes.length; index += 1, shift += 7n) {
    const byte = bytes[index] ?? 0
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return [value, index + 1]
  }
  throw new Error('a number without an end')
}

/** The fields of a Protocol Buffers message, in order. */
function fieldsOf(bytes: Buffer): readonly Field[] {
  const fields: Field[] = []
  for (let at = 0; at < bytes.length; ) {
    const [key, next] = varint(bytes, at)
    const number = Number(key >> 3n)
    const wire = Number(key & 7n)
    if (wire === 0) {
      const [value, end] = varint(bytes, next)
      fields.push([number, value])
      at = end
      continue
    }
    const [length, start] = wire === 2 ? varint(bytes, next) : [wire === 1 ? 8n : 4n, next]
    at = start + Number(length)
    fields.push([number, bytes.subarray(start, at)])
  }
  return fields
}

function messages(bytes: Buffer, number: number): readonly Buffer[] {
  return fieldsOf(bytes).flatMap(([field, value]) =>
    field === number && value instanceof Buffer ? [value] : [],
  )
}

function message(bytes: Buffer, number: number): Buffer {
  return messages(bytes, number)[0] ?? Buffer.alloc(0)
}

function plainValue(any: Buffer): string | number {
  const [[field, value] = [0, 0n]] = fieldsOf(any)
  if (typeof value === 'bigint') return Number(value)
  return field === 1 ? value.toString() : value.toString('hex')
}

function attributesOf(pairs: readonly Buffer[]): Record<string, string | number> {
  return Object.fromEntries(pairs.map((pair) => [message(pair, 1).toString(), plainValue(message(pair, 2))]))
}

/** The spans of an `ExportTraceServiceRequest`. */
function spansOf(body: Buffer): readonly CollectedSpan[] {
  return messages(body, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(message(resourceSpans, 1), 1))
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        service: String(resource['service.name']),
        name: message(span, 5).toString(),
        traceId: message(span, 1).toString('hex'),
        spanId: message(span, 2).toString('hex'),
        parentId: message(span, 4).toString('hex'),
        attributes: attributesOf(messages(span, 9)),
        failed: fieldsOf(message(span, 15)).some(([field, value]) => field === 3 && value === 2n),
      }))
  })
}

/** Starts a collector on a free port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: Buffer[] = []
  const spans: CollectedSpan[] = []
  const server = createServer((request, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url === '/v1/traces') {
        bodies.push(Buffer.concat(chunks))
        spans.push(...spansOf(Buffer.concat(chunks)))
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, {
        'Content-Type': 'application/x-protobuf',
      })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    bytes: () => Buffer.concat(bodies),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
