import type { ReactNode } from 'react'

/** The product's mark: two sheets, one of them with a bracket cut out. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect x="5" y="1" width="10" height="11" rx="2" stroke="none" opacity=".45" />
      <rect x="1" y="4" width="10" height="11" rx="2" stroke="none" />
      <path
        d="M7.4 6.6c-2 0-.8 2.7-2.6 2.9 1.8.2.6 2.9 2.6 2.9"
        fill="none"
        strokeWidth="1.4"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The product's name, linked to the home page. */
export function Brand() {
  return (
    <a className="brand" href="/">
      <Mark />
      snipkeep
    </a>
  )
}

/** A page outside of the dashboard's frame. */
export function FrontPage({ children }: { readonly children: ReactNode }) {
  return (
    <div className="front">
      <header>
        <Brand />
      </header>
      <main className="sign-in" id="content">
        {children}
      </main>
    </div>
  )
}
