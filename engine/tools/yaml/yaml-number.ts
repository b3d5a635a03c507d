import { jsonNumber } from '../../json-bytes/json-number.js'

/** A YAML number as JSON spells it, of exactly the same value; `null` for one that JSON does not have. */
export function jsonNumberOf(source: string, value: number | bigint): string | null {
  if (jsonNumber.test(source)) return source
  if (typeof value === 'bigint') return String(value)
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source.replaceAll('_', '')) ?? []
  if (whole === '' && fraction === '') return null
  const digits = whole.replace(/^0+(?=\d)/, '')
  const minus = sign === '-' ? '-' : ''
  const point = source.includes('.') ? `.${fraction === '' ? '0' : fraction}` : ''
  return `${minus}${digits === '' ? '0' : digits}${point}${exponent}`
}

const oldInteger = /^[-+]?(?:0|[1-9][0-9_]*|0b[01_]+|0[0-7_]+|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/
const oldFloat = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?$/
const oldOther = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

/** Whether the types of YAML 1.1 (yaml.org/type) have this number; its readers also take `08`, `1e3` and others. */
export function isOldNumber(source: string): boolean {
  return oldInteger.test(source) || oldFloat.test(source) || oldOther.test(source)
}
