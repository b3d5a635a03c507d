/** One bar, part of which may be highlighted. */
export interface Bar {
  readonly id: string
  /** Its tooltip. */
  readonly words: string
  readonly value: number
  /** At most the value. */
  readonly part: number
}

const step = 20
const width = 14
const height = 120

/** A bar chart. It is a picture: give the same information in text beside it. */
export function BarChart({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const limit = Math.max(1, ...bars.map(({ value }) => value))
  const high = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / limit) * height))
  return (
    <svg
      className="bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, bars.length) * step} ${height + 1}`}
      preserveAspectRatio="none"
    >
      <path className="bars-line" d={`M0 ${height + 0.5}h${bars.length * step}`} />
      {bars.map(({ id, words, value, part }, index) => (
        <g key={id} transform={`translate(${index * step + (step - width) / 2} 0)`}>
          <title>{words}</title>
          <rect className="bars-room" width={width} height={height} />
          <rect className="bars-bar" y={height - high(value)} width={width} height={high(value)} />
          <rect className="bars-part" y={height - high(part)} width={width} height={high(part)} />
        </g>
      ))}
    </svg>
  )
}
