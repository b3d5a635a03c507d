/** A chosen language leads back to the page; browsers keep the fragment of a link through its redirect. */
addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement && target.hreflang) target.hash = location.hash
})
