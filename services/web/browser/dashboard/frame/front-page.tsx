import type { ReactNode } from 'react'

/** The product's name, linked to the home page. */
export function Brand() {
  return (
    <a className="brand" href="/">
      Snipkeep
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
