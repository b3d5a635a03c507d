/** The name of the product, which leads to its front page. */
export function Brand() {
  return (
    <a className="brand" href="/">
      Snipkeep
    </a>
  )
}
