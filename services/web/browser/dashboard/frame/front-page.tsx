import type { ReactNode } from 'react'
import { markPaths } from '#shared/core/mark.js'

function Mark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d={markPaths.behind} stroke="none" opacity=".45" />
      <path d={markPaths.sheet} stroke="none" />
      <path d={markPaths.bracket} fill="none" strokeWidth="1.4" strokeLinecap="round" />
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
