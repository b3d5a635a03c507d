/** What scrolls the rows of a list: its own element, or in narrow windows of some pages the page itself. */
export interface ScrollPort {
  isPage(): boolean
  /** How far the rows are scrolled, in pixels; of a page that is above or below them, as far as they can be. */
  top(): number
  scrollTo(top: number): void
  /** The height of what is visible, in pixels. */
  height(): number
}

/** Pages whose lists may be as high as what they hold have this class around them. */
const paged = '.viewer-paged'
const narrow = '(max-width: 40rem)'

/** Whether a part of a viewer scrolls with its page. */
export function scrollsWithPage(part: HTMLElement): boolean {
  return part.closest(paged) !== null && matchMedia(narrow).matches
}

/** The scroll port of a list; `headHeight` is that of what is sticky above its rows. */
export function scrollPort(scroller: HTMLElement, body: HTMLElement, headHeight: number): ScrollPort {
  const isPage = (): boolean => scrollsWithPage(scroller)
  /** What lies over the top of the window. */
  const covered = (): number => {
    const bar = scroller.closest('.viewer')?.querySelector<HTMLElement>('.viewer-bar')
    if (!bar || getComputedStyle(bar).position !== 'sticky') return headHeight
    return bar.offsetHeight + headHeight
  }
  const height = (): number =>
    isPage() ? document.documentElement.clientHeight - covered() : scroller.clientHeight - headHeight
  const pageTop = (): number => covered() - body.getBoundingClientRect().top
  return {
    isPage,
    height,
    top() {
      if (!isPage()) return scroller.scrollTop
      const max = Math.max(0, body.offsetHeight - height())
      return Math.min(Math.max(0, pageTop()), max)
    },
    scrollTo(top) {
      if (!isPage()) scroller.scrollTop = top
      else if (Math.abs(this.top() - top) >= 1) scrollBy(0, top - pageTop())
    },
  }
}
