import type { Page } from '@playwright/test'

/** What is wrong with a text on a screen, and which text it is. */
export type Misfit = {
  what: 'beyond the screen' | 'clipped' | 'broken' | 'overlapped' | 'letter by letter'
  text: string
}

/**
 * What of the page's text cannot be read as it stands: all of an amount of money, and each word of the rest. Text that ends
 * in an ellipsis on purpose, and what scrolls sideways, is let through where it says no money.
 */
export const misfitsOf = (page: Page): Promise<Misfit[]> => page.evaluate(misfitsHere)

/** The same in the page itself: it names nothing outside of it. */
export function misfitsHere(): Misfit[] {
  /** A layout is rounded to whole pixels here and there. */
  const SLACK_PX = 1.5
  const AMOUNT = /[+−-]?(?:\$\s?\d[\d.,]*|\d[\d.,]*\s?\$)/g
  type Piece = { node: Text; text: string; rects: DOMRect[]; seen: DOMRect[] }

  function isShown(element: Element): boolean {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    for (let each: Element | null = element; each; each = each.parentElement) {
      const { clipPath, clip, width } = getComputedStyle(each)
      if (clipPath === 'inset(50%)' || (clip !== 'auto' && width === '1px')) return false
    }
    return element.closest('[data-sonner-toaster], [data-current=false], script, style, title, noscript') === null
  }

  function rectsOf(node: Text, from: number, to: number): DOMRect[] {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  }

  function isClipped(rect: DOMRect, element: Element, isMoney: boolean): boolean {
    for (let each: Element | null = element; each && each !== document.documentElement; each = each.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(each)
      const box = each.getBoundingClientRect()
      const cutX = overflowX !== 'visible' && (rect.left < box.left - SLACK_PX || rect.right > box.right + SLACK_PX)
      const hidesY = overflowY === 'hidden' || overflowY === 'clip'
      // A line's box is taller than its letters: what is cut is more than a fifth of it.
      const cutY = hidesY && (rect.top < box.top - rect.height / 5 || rect.bottom > box.bottom + rect.height / 5)
      const onPurpose = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || overflowX === 'auto'
      if ((cutX || cutY) && (isMoney || !onPurpose)) return true
      // What is cut off already is seen no further out, and what scrolls can be scrolled into sight.
      if (cutX || cutY || overflowY === 'auto' || overflowY === 'scroll') return false
    }
    return false
  }

  /** What is left of a text where everything around it has cut off what it cuts off. */
  function seenOf(rect: DOMRect, element: Element): DOMRect[] {
    let { left, right, top, bottom } = rect
    for (let each: Element | null = element; each && each !== document.documentElement; each = each.parentElement) {
      if (getComputedStyle(each).overflow === 'visible') continue
      const box = each.getBoundingClientRect()
      ;[left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
      ;[top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)]
    }
    return right - left > 1 && bottom - top > rect.height / 2
      ? [new DOMRect(left, top, right - left, bottom - top)]
      : []
  }

  function piecesOfPage(): Piece[] {
    const pieces: Piece[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const element = node.parentElement
      if (node.data.trim() === '' || !element || !isShown(element)) continue
      // A dot between facts is cut off on purpose where it would begin a line (web/ui/facts.tsx).
      if (node.data === '·' && element.ariaHidden) continue
      const rects = rectsOf(node, 0, node.length)
      pieces.push({ node, text: node.data, rects, seen: rects.flatMap((rect) => seenOf(rect, element)) })
    }
    return pieces
  }

  function overlap(a: DOMRect, b: DOMRect): boolean {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
    // Lines that stand close to each other share the room above and below their letters.
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    return across > 2 && down > Math.min(a.height, b.height) * 0.35
  }

  const found: Misfit[] = []
  const pieces = piecesOfPage()
  /** What stands above the page: a dialog, or a bar that stays where it is while the page scrolls under it. */
  function covering(element: Element | null): Element | null {
    for (let each = element; each; each = each.parentElement) {
      if (each.matches('[role=dialog], [role=alertdialog]') || getComputedStyle(each).position === 'fixed') return each
    }
    return null
  }
  for (const piece of pieces) {
    const element = piece.node.parentElement as Element
    const whole = element.closest('.tabular') ?? element
    const money = (whole.textContent ?? '').match(AMOUNT) !== null
    for (const rect of piece.rects) {
      const scrolls = element.closest('.overflow-x-auto') !== null
      if (!scrolls && (rect.left < -SLACK_PX || rect.right > document.documentElement.clientWidth + SLACK_PX))
        found.push({ what: 'beyond the screen', text: piece.text })
      else if (isClipped(rect, element, money)) found.push({ what: 'clipped', text: piece.text })
    }
    const words = piece.text.trim().split(/\s+/)
    const lines = new Set(piece.rects.map(({ top }) => Math.round(top))).size
    if (lines > words.length + piece.text.length / 4) found.push({ what: 'letter by letter', text: piece.text })
    for (const match of piece.text.matchAll(AMOUNT)) {
      const rects = rectsOf(piece.node, match.index, match.index + match[0].length)
      if (new Set(rects.map(({ top }) => Math.round(top))).size > 1) found.push({ what: 'broken', text: piece.text })
    }
    for (const other of pieces) {
      const apart = covering(element) === covering(other.node.parentElement)
      if (other !== piece && apart && piece.seen.some((a) => other.seen.some((b) => overlap(a, b))))
        found.push({ what: 'overlapped', text: `${piece.text} | ${other.text}` })
    }
  }
  for (const input of document.querySelectorAll('input')) {
    if (input.inputMode === 'decimal' && input.scrollWidth > input.clientWidth + SLACK_PX)
      found.push({ what: 'clipped', text: input.value })
  }
  return found
}
