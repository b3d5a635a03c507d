/** Why nothing can be asked of this Node's parser of HTTP; empty for every version that is safe to run. */
export const lenientParser =
  Number.parseInt(process.versions.llhttp ?? '', 10) < 9
    ? ' (skipped: the HTTP parser of this Node accepts malformed headers, CVE-2025-23167; install Node 20.19.2 or later)'
    : ''

/** A request whose framing is ambiguous or invalid. */
export interface FramingAttack {
  readonly name: string
  readonly bytes: string
}

const smuggled = (host: string): string => `GET /healthz?smuggled-marker HTTP/1.1\r\nHost: ${host}\r\n\r\n`

/** Transfer-Encoding values that must not be treated as chunked, with or without a Content-Length. */
const transferEncodings = [
  'xchunked',
  'chunked, identity',
  'identity, chunked',
  'chunked, chunked',
  '"chunked"',
  'chunked;q=1',
  'gzip',
  'gzip, xchunked',
  'chunk',
  'identity',
  '\u000bchunked',
  'chunked\u0000',
  'chunked x',
  ',chunked,',
  'cow',
]

const contentLengths = [
  '-1',
  '+5',
  '0x5',
  '5 5',
  '5,5',
  '5, 6',
  '1e1',
  '5;',
  '',
  ' ',
  '5.0',
  '٥',
  '99999999999999999999',
  '5\u0000',
  'abc',
]

const chunkBodies: [string, string][] = [
  ['a size that is no hexadecimal', 'g\r\nxxxxx\r\n0\r\n\r\n'],
  ['a negative size', '-5\r\nxxxxx\r\n0\r\n\r\n'],
  ['a size of too many digits', `${'f'.repeat(17)}\r\nxxxxx\r\n0\r\n\r\n`],
  ['a size with 0x', '0x5\r\nxxxxx\r\n0\r\n\r\n'],
  ['a chunk longer than its size', '3\r\nxxxxx\r\n0\r\n\r\n'],
  ['a chunk shorter than its size', '9\r\nxxxxx\r\n0\r\n\r\n'],
  ['a size ended by LF alone', '5\nxxxxx\r\n0\r\n\r\n'],
  ['a chunk ended by LF alone', '5\r\nxxxxx\n0\r\n\r\n'],
  ['a chunk ended by CR alone', '5\r\nxxxxx\r0\r\n\r\n'],
  ['a size with a space before it', ' 5\r\nxxxxx\r\n0\r\n\r\n'],
  ['an extension with a bare LF', '5;a\nb\r\nxxxxx\r\n0\r\n\r\n'],
]

const requestLines = [
  'GET /healthz HTTP/1.2',
  'GET /healthz HTTP/2.0',
  'GET /healthz HTTP/11',
  'GET /healthz http/1.1',
  'GET /healthz',
  'GET /healthz HTTP/1.1 x',
  'GE T /healthz HTTP/1.1',
  'G\u0000T /healthz HTTP/1.1',
  'GET /health\u0000z HTTP/1.1',
  'GET /health z HTTP/1.1',
  ' GET /healthz HTTP/1.1',
  'get /healthz HTTP/1.1',
]

const headerLines = [
  'Name : value',
  ' Name: value',
  'Na me: value',
  'Na\u0000me: value',
  'Name: va\u0000lue',
  'Name: va\rlue',
  ': value',
  'Name',
  'Na\u00e9me: value',
  'Na(me: value',
]

/** Requests that violate RFC 9112; none may be served, nor anything that follows in the same bytes. */
export function framingAttacks(host: string): readonly FramingAttack[] {
  const post = (headers: string, body: string): string =>
    `POST /api/snippets HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}${smuggled(host)}`
  return [
    ...transferEncodings.map((value) => ({
      name: `Transfer-Encoding ${JSON.stringify(value)} beside Content-Length`,
      bytes: post(`Content-Length: 5\r\nTransfer-Encoding: ${value}`, '0\r\n\r\n'),
    })),
    ...['chunked', 'Chunked', ' chunked'].map((value) => ({
      name: `Content-Length beside Transfer-Encoding ${JSON.stringify(value)}`,
      bytes: post(`Content-Length: 5\r\nTransfer-Encoding: ${value}`, '0\r\n\r\n'),
    })),
    ...contentLengths.map((value) => ({
      name: `Content-Length ${JSON.stringify(value)}`,
      bytes: post(`Content-Length: ${value}`, 'xxxxx'),
    })),
    {
      name: 'two Content-Lengths that differ',
      bytes: post('Content-Length: 5\r\nContent-Length: 6', 'xxxxx'),
    },
    {
      name: 'two Content-Lengths that agree',
      bytes: post('Content-Length: 5\r\nContent-Length: 5', 'xxxxx'),
    },
    ...chunkBodies.map(([name, body]) => ({ name, bytes: post('Transfer-Encoding: chunked', body) })),
    ...requestLines.map((line) => ({
      name: JSON.stringify(line),
      bytes: `${line}\r\nHost: ${host}\r\n\r\n`,
    })),
    ...headerLines.map((line) => ({
      name: JSON.stringify(line),
      bytes: `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n\r\n${smuggled(host)}`,
    })),
    { name: 'headers ended by LF alone', bytes: `GET /healthz HTTP/1.1\nHost: ${host}\n\n${smuggled(host)}` },
    { name: 'a folded header', bytes: `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX: a\r\n b\r\n\r\n` },
  ]
}
