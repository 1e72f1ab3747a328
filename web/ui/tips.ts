/** The delay before a tip, and the time after a tip in which the next one needs no delay. */
const OPEN_MS = 700
const SKIP_MS = 300

/** The minimum distance between a tip and the edge of the window. */
const EDGE_PX = 8

/**
 * The padding above and below the text belongs to the tip, so that a pointer on its way to the tip stays on one of the two
 * elements.
 */
const TIP_CLASS =
  'pointer-events-auto fixed z-60 max-w-[min(16rem,calc(100vw-1rem))] py-1.5 transition-opacity duration-150 starting:opacity-0 motion-reduce:transition-none'
const WORDS_LOOK =
  'rounded-[0.625rem] bg-ink px-2.5 py-1.5 text-[0.8125rem] leading-snug font-medium text-canvas shadow-lift outline-1 outline-transparent [overflow-wrap:anywhere]'

function drawTip(): { tip: HTMLElement; words: HTMLElement } {
  const tip = document.createElement('div')
  const words = document.createElement('div')
  tip.className = TIP_CLASS
  words.className = WORDS_LOOK
  tip.setAttribute('role', 'tooltip')
  // Screen readers read the same text as the control's name.
  tip.ariaHidden = 'true'
  tip.append(words)
  return { tip, words }
}

/** Places the tip below the control, or above it if there is no space below. */
function place(tip: HTMLElement, control: Element): void {
  const { top, bottom, left, width } = control.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const fits = bottom + tip.offsetHeight <= clientHeight
  const middle = left + width / 2 - tip.offsetWidth / 2
  const maxLeft = clientWidth - tip.offsetWidth - EDGE_PX
  tip.style.top = `${fits ? bottom : top - tip.offsetHeight}px`
  tip.style.left = `${Math.max(EDGE_PX, Math.min(middle, maxLeft))}px`
}

/** Returns the functions of the page's only tip. */
function openTip() {
  const { tip, words } = drawTip()
  let control: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastShownMs = Number.NEGATIVE_INFINITY

  /** Hides the tip. It can return only after the pointer or the focus has left the control. */
  function dismiss(): void {
    clearTimeout(timer)
    if (!tip.isConnected) return
    tip.remove()
    lastShownMs = Date.now()
  }

  function show(): void {
    const name = control?.ariaLabel
    if (!control?.isConnected || !name) return
    words.textContent = name
    document.body.append(tip)
    place(tip, control)
  }

  function lookAt(next: Element | null): void {
    if (next === control) return
    dismiss()
    control = next
    if (!next) return
    if (Date.now() - lastShownMs < SKIP_MS) show()
    else timer = setTimeout(show, OPEN_MS)
  }

  return {
    dismiss,
    lookAt,
    isShown: () => tip.isConnected,
    holds: (node: unknown) => tip.contains(node as Node | null),
  }
}

const findTipped = (target: unknown): Element | null =>
  target instanceof Element ? target.closest('[data-tip]') : null

/**
 * Shows the name of an icon-only control (`data-tip`) under a resting mouse or the keyboard focus. Touch shows none, because
 * the hand would cover the tip. Returns a function that stops it.
 */
export function showTips(): () => void {
  const tip = openTip()
  /** True while a key that moves the focus is down. A control that the app itself focuses shows no tip. */
  let moves = false
  const stopController = new AbortController()
  const listen = <Type extends keyof WindowEventMap>(type: Type, listener: (event: WindowEventMap[Type]) => void) =>
    window.addEventListener(type, listener, { capture: true, passive: true, signal: stopController.signal })

  listen('pointerover', ({ pointerType, target }) => {
    if (pointerType !== 'touch' && !tip.holds(target)) tip.lookAt(findTipped(target))
  })
  listen('pointerout', ({ relatedTarget }) => relatedTarget === null && tip.lookAt(null))
  listen('pointerdown', (event) => {
    // The tip is in front of an open sheet, which would otherwise close on this press.
    if (tip.holds(event.target)) event.stopPropagation()
    tip.dismiss()
  })
  listen('focusin', ({ target }) => moves && tip.lookAt(findTipped(target)))
  listen('focusout', () => tip.lookAt(null))
  listen('keydown', (event) => {
    // Escape first closes the tip; the next press closes the layer under it.
    if (event.key === 'Escape' && tip.isShown()) event.stopPropagation()
    tip.dismiss()
    moves = event.key === 'Tab' || event.key.startsWith('Arrow')
  })
  listen('keyup', () => {
    moves = false
  })
  listen('scroll', tip.dismiss)
  listen('blur', () => tip.lookAt(null))
  return () => {
    stopController.abort()
    tip.dismiss()
  }
}
