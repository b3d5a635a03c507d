/** The product's name, linked to the home page. */
export function Brand() {
  return (
    <a className="brand" href="/">
      Snipkeep
    </a>
  )
}
