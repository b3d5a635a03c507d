const paths = {
  snippets: 'M5 2.5h7l3.5 3.5v11.5h-10.5zM12 2.5v3.5h3.5M7.5 10h5M7.5 13h5',
  shares: 'M8 11.5l4-4M7 8.5l-2.2 2.2a3 3 0 0 0 4.5 4.5l2.2-2.2M13 11.5l2.2-2.2a3 3 0 0 0-4.5-4.5l-2.2 2.2',
  history: 'M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7.2M3.5 3.5v3.7h3.7M10 6.5v4l2.6 1.5',
  keys: 'M12.5 3a4.5 4.5 0 1 1-2.9 7.9L4 16.5H2.8v-2.6l1.5-1.5h1.8v-1.8h1.8l1-1A4.5 4.5 0 0 1 12.5 3zM13.6 6.4v.1',
  ci: 'M5 6.5a2 2 0 1 0 0-4a2 2 0 0 0 0 4zM5 6.5v11M5 12.5h6a4 4 0 0 0 4-4M15 8.5a2 2 0 1 0 0-4a2 2 0 0 0 0 4z',
  events: 'M2.5 10.5h3.5l2.5-6l3.5 11l2.5-5h3',
  plan: 'M3 5.5h14v9h-14zM3 8.5h14M6 12h3',
  profile: 'M10 10a3.2 3.2 0 1 0 0-6.4a3.2 3.2 0 0 0 0 6.4zM3.8 17a6.2 6.2 0 0 1 12.4 0',
  operator: 'M10 2.5l6 2.3v4.7c0 3.8-2.5 6.6-6 8c-3.5-1.4-6-4.2-6-8v-4.7zM7.3 10l2 2l3.6-3.8',
  compare: 'M7 4l-3.5 3.5l3.5 3.5M3.5 7.5h13M13 9l3.5 3.5l-3.5 3.5M16.5 12.5h-13',
  docs: 'M4 4h4.5a1.5 1.5 0 0 1 1.5 1.5v11a1.5 1.5 0 0 0-1.5-1.5h-4.5zM16 4h-4.5a1.5 1.5 0 0 0-1.5 1.5v11a1.5 1.5 0 0 1 1.5-1.5h4.5z',
  tools: 'M3.5 5.5h13M3.5 10h8M3.5 14.5h13M14 8l2.5 2l-2.5 2',
  tag: 'M3.5 3.5h6l7 7l-6 6l-7-7zM6.8 6.8v.1',
  close: 'M5 5l10 10M15 5l-10 10',
  more: 'M4.4 10a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M9.5 10a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M14.6 10a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0',
  search: 'M9 15a6 6 0 1 0 0-12a6 6 0 0 0 0 12zM13.4 13.4l3.6 3.6',
  plus: 'M10 4v12M4 10h12',
  copy: 'M7 7h9v9.5h-9zM4 13V3.5h9',
  check: 'M4 10.5l4 4l8-9',
  warning: 'M10 3l7.5 13.5h-15zM10 8v4M10 14.4v.1',
  info: 'M10 17.5a7.5 7.5 0 1 0 0-15a7.5 7.5 0 0 0 0 15zM10 9v5M10 6.2v.1',
  down: 'M5.5 8l4.5 4.5l4.5-4.5',
  up: 'M10 15.5v-11M5.5 9l4.5-4.5l4.5 4.5',
  back: 'M15.5 10h-11M9 5.5l-4.5 4.5l4.5 4.5',
  edit: 'M4 16l.8-3.4L13 4.4l2.6 2.6L7.4 15.2z',
  trash: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5',
  download: 'M10 3.5v9.5M5.5 9l4.5 4.5l4.5-4.5M3.5 16.5h13',
  out: 'M8 3.5h-4v13h4M8.5 10h8.5M13.5 6.5l3.5 3.5l-3.5 3.5',
} as const

export type IconName = keyof typeof paths

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
