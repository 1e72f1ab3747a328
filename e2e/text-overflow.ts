import type { Page } from '@playwright/test'

/** A text that is not readable on a screen, with the kind of fault. */
export type TextOverflow = {
  what: 'beyond the screen' | 'clipped' | 'broken' | 'overlapped' | 'letter by letter'
  text: string
}

/**
 * Returns the page's texts that are not readable. An amount of money must be visible completely, and each other word as a
 * whole. Text that ends in an ellipsis or scrolls sideways by design is accepted, unless it is an amount.
 */
export const findTextOverflows = (page: Page): Promise<TextOverflow[]> => page.evaluate(findTextOverflowsInPage)

/**
 * Finds the unreadable texts within the page. Playwright sends the function's source to the page, so the function uses nothing
 * outside itself.
 */
export function findTextOverflowsInPage(): TextOverflow[] {
  /** The tolerance for rounding to whole pixels. */
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
      // A line's box is taller than its letters, so only a cut of more than a fifth counts.
      const cutY = hidesY && (rect.top < box.top - rect.height / 5 || rect.bottom > box.bottom + rect.height / 5)
      const onPurpose = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || overflowX === 'auto'
      if ((cutX || cutY) && (isMoney || !onPurpose)) return true
      // The search ends here. Text that this element cuts is not visible in outer elements, and scrolling brings the rest into
      // view.
      if (cutX || cutY || overflowY === 'auto' || overflowY === 'scroll') return false
    }
    return false
  }

  /** Returns the part of a text that its ancestors do not cut off. */
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
      // A dot between facts is hidden by design where it would begin a line (web/ui/inline-facts.tsx).
      if (node.data === '·' && element.ariaHidden) continue
      const rects = rectsOf(node, 0, node.length)
      pieces.push({ node, text: node.data, rects, seen: rects.flatMap((rect) => seenOf(rect, element)) })
    }
    return pieces
  }

  function overlap(a: DOMRect, b: DOMRect): boolean {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
    // Lines close to each other share the space above and below their letters.
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    return across > 2 && down > Math.min(a.height, b.height) * 0.35
  }

  const overflows: TextOverflow[] = []
  const pieces = piecesOfPage()
  /** Returns the element above the page: a dialog, or a bar that stays in place while the page scrolls below it. */
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
        overflows.push({ what: 'beyond the screen', text: piece.text })
      else if (isClipped(rect, element, money)) overflows.push({ what: 'clipped', text: piece.text })
    }
    const words = piece.text.trim().split(/\s+/)
    const lines = new Set(piece.rects.map(({ top }) => Math.round(top))).size
    if (lines > words.length + piece.text.length / 4) overflows.push({ what: 'letter by letter', text: piece.text })
    for (const match of piece.text.matchAll(AMOUNT)) {
      const rects = rectsOf(piece.node, match.index, match.index + match[0].length)
      if (new Set(rects.map(({ top }) => Math.round(top))).size > 1)
        overflows.push({ what: 'broken', text: piece.text })
    }
    for (const other of pieces) {
      const isSeparate = covering(element) === covering(other.node.parentElement)
      if (other !== piece && isSeparate && piece.seen.some((a) => other.seen.some((b) => overlap(a, b))))
        overflows.push({ what: 'overlapped', text: `${piece.text} | ${other.text}` })
    }
  }
  for (const input of document.querySelectorAll('input')) {
    if (input.inputMode === 'decimal' && input.scrollWidth > input.clientWidth + SLACK_PX)
      overflows.push({ what: 'clipped', text: input.value })
  }
  return overflows
}
