/** One bar, of which a part may be distinguished. */
export interface Bar {
  readonly id: string
  /** What it says when pointed at. */
  readonly words: string
  readonly value: number
  /** At most the value. */
  readonly part: number
}

const step = 20
const width = 14
const height = 120

/** Bars side by side, each as high as its value. It is a picture: the same has to stand in words beside it. */
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
