import type { GoalFigure } from './goal.js'
import { readable } from './results.js'

/** The colours of a plot. */
export type PlotTheme = 'light' | 'dark'

const colours = {
  light: {
    page: '#ffffff',
    text: '#1f2328',
    faint: '#59636e',
    line: '#d1d9e0',
    kept: '#2f6feb',
    missed: '#d1242f',
  },
  dark: {
    page: '#0d1117',
    text: '#f0f6fc',
    faint: '#9198a1',
    line: '#3d444d',
    kept: '#4493f8',
    missed: '#f85149',
  },
} as const

/** One bar: a figure relative to its goal. */
interface Bar {
  readonly name: string
  readonly label: string
  readonly share: number
  readonly holds: boolean
}

const width = 860
const left = 330
const right = 200
const rowHeight = 30
/** Longer bars are cut off; the label shows the value. */
const shareMax = 2

function barOf({ name, measured, unit, ratio, goal, holds }: GoalFigure): Bar | null {
  const bound = /^[≥≤] ([\d.]+)/.exec(goal)?.[1]
  if (bound === undefined) return null
  const value = ratio ?? measured
  const shown = ratio === null ? `${readable(value)} ${unit}` : `${readable(value)} ×`
  return {
    name,
    label: `${shown}  (${goal.split(' of ')[0]}${holds ? '' : ', missed'})`,
    share: value / Number(bound),
    holds,
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A title, bars from `top` on, and a line across them at the goal. */
function panel(title: string, bars: readonly Bar[], top: number, theme: PlotTheme): string {
  const { text, faint, line, kept, missed } = colours[theme]
  const scale = (width - left - right) / shareMax
  const goalAt = left + scale
  const bottom = top + 34 + bars.length * rowHeight
  const rows = bars.map(({ name, label, share, holds }, index) => {
    const y = top + 34 + index * rowHeight
    const length = Math.max(2, Math.min(share, shareMax) * scale)
    return `
  <text x="${left - 12}" y="${y + 17}" text-anchor="end" fill="${text}">${escaped(name)}</text>
  <rect x="${left}" y="${y + 4}" width="${length.toFixed(1)}" height="18" rx="3" fill="${holds ? kept : missed}"/>
  <text x="${left + Math.max(length, scale) + 10}" y="${y + 17}" fill="${text}">${escaped(label)}</text>`
  })
  return `
  <text x="16" y="${top + 16}" fill="${text}" font-weight="600">${title}</text>
  <text x="${goalAt}" y="${top + 16}" text-anchor="middle" fill="${faint}">goal</text>
  <line x1="${left}" y1="${top + 28}" x2="${left}" y2="${bottom}" stroke="${line}"/>${rows.join('')}
  <line x1="${goalAt}" y1="${top + 24}" x2="${goalAt}" y2="${bottom}" stroke="${text}" stroke-width="2" stroke-dasharray="4 3"/>`
}

/** An SVG of each figure beside its goal: those that should be large, and those that should be small. */
export function drawRatios(figures: readonly GoalFigure[], theme: PlotTheme): string {
  const barsOf = (sign: string): Bar[] =>
    figures.filter(({ goal }) => goal.startsWith(sign)).flatMap((figure) => barOf(figure) ?? [])
  const panels = [
    { title: 'At least (times the floor)', bars: barsOf('≥') },
    { title: 'At most', bars: barsOf('≤') },
  ].filter(({ bars }) => bars.length > 0)
  let top = 16
  const drawn = panels.map(({ title, bars }) => {
    const one = panel(title, bars, top, theme)
    top += 34 + bars.length * rowHeight + 22
    return one
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" font-family="system-ui, sans-serif" font-size="13" role="img">
  <title>What was measured, beside the goals</title>
  <rect width="100%" height="100%" fill="${colours[theme].page}"/>${drawn.join('')}
</svg>
`
}
