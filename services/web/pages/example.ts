import { createHash } from 'node:crypto'

const csv = `planet,diameter (km),mass (10^24 kg),day (hours),year (days),mean temperature (°C),rings
Mercury,4879,0.330,4222.6,88.0,167,no
Venus,12104,4.87,2802.0,224.7,464,no
Earth,12756,5.97,24.0,365.2,15,no
Mars,6792,0.642,24.7,687.0,-65,no
Jupiter,142984,1898,9.9,4331,-110,yes
Saturn,120536,568,10.7,10747,-140,yes
Uranus,51118,86.8,17.2,30589,-195,yes
Neptune,49528,102,16.1,59800,-200,yes
`

/** The data the tool made the CSV from, with numbers spelled the same. */
function inputOf(lines: readonly string[]): string {
  const [head = [], ...rows] = lines.map((line) => line.split(','))
  const valueIn = (cell: string): string => (/^-?\d/.test(cell) ? cell : JSON.stringify(cell))
  const members = rows.map((row) => row.map((cell, column) => `"${head[column]}":${valueIn(cell)}`).join(','))
  return `[${members.map((row) => `{${row}}`).join(',')}]`
}

const lines = csv.trimEnd().split('\n')
const json = JSON.stringify({ input: inputOf(lines), csv })
const bytes = Buffer.from(json)

/** The landing page's example, shown as if it had been shared; a new server has no shares. */
export const example = {
  tool: 'json-to-csv',
  json,
  sizeBytes: bytes.length,
  /** Changes with the document. */
  path: `/assets/${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.json`,
  lines,
} as const
