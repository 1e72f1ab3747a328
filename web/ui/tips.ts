/** How long a control is looked at before its tip comes, and how soon after one tip the next comes without a wait. */
const OPEN_MS = 700
const SKIP_MS = 300

/** How near a tip comes to the edge of the window. */
const EDGE_PX = 8

/** The room above and below its words belongs to the tip: on the way from the control to it, a pointer leaves neither. */
const LOOK =
  'pointer-events-auto fixed z-60 max-w-[min(16rem,calc(100vw-1rem))] py-1.5 transition-opacity duration-150 starting:opacity-0 motion-reduce:transition-none'
const WORDS_LOOK =
  'rounded-[0.625rem] bg-ink px-2.5 py-1.5 text-[0.8125rem] leading-snug font-medium text-canvas shadow-lift outline-1 outline-transparent [overflow-wrap:anywhere]'

function drawn(): { tip: HTMLElement; words: HTMLElement } {
  const tip = document.createElement('div')
  const words = document.createElement('div')
  tip.className = LOOK
  words.className = WORDS_LOOK
  tip.setAttribute('role', 'tooltip')
  // Those who hear the page hear the same words as the control's name.
  tip.ariaHidden = 'true'
  tip.append(words)
  return { tip, words }
}

/** Below the control or, where there is no room, above it. */
function place(tip: HTMLElement, control: Element): void {
  const { top, bottom, left, width } = control.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const fits = bottom + tip.offsetHeight <= clientHeight
  const middle = left + width / 2 - tip.offsetWidth / 2
  const most = clientWidth - tip.offsetWidth - EDGE_PX
  tip.style.top = `${fits ? bottom : top - tip.offsetHeight}px`
  tip.style.left = `${Math.max(EDGE_PX, Math.min(middle, most))}px`
}

/** The one tip of the page, and what it is about. */
function openTip() {
  const { tip, words } = drawn()
  let control: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastShownMs = Number.NEGATIVE_INFINITY

  /** It is gone, and does not come again before something else was looked at. */
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

const tipped = (target: unknown): Element | null => (target instanceof Element ? target.closest('[data-tip]') : null)

/**
 * Shows the name of a control that is only a picture (`data-tip`), where a pointer rests on it or the keyboard comes to it.
 * A finger gets none: it would lie under the hand. Answers how to stop.
 */
export function showTips(): () => void {
  const tip = openTip()
  /** Whether the key that is down moves the focus: what is focused by the app itself was not asked about. */
  let moves = false
  const stop = new AbortController()
  const on = <Type extends keyof WindowEventMap>(type: Type, heard: (event: WindowEventMap[Type]) => void) =>
    window.addEventListener(type, heard, { capture: true, passive: true, signal: stop.signal })

  on('pointerover', ({ pointerType, target }) => {
    if (pointerType !== 'touch' && !tip.holds(target)) tip.lookAt(tipped(target))
  })
  on('pointerout', ({ relatedTarget }) => relatedTarget === null && tip.lookAt(null))
  on('pointerdown', (event) => {
    // It stands above an open sheet, which a press beside it would close.
    if (tip.holds(event.target)) event.stopPropagation()
    tip.dismiss()
  })
  on('focusin', ({ target }) => moves && tip.lookAt(tipped(target)))
  on('focusout', () => tip.lookAt(null))
  on('keydown', (event) => {
    // The tip first; what is open under it with the next press.
    if (event.key === 'Escape' && tip.isShown()) event.stopPropagation()
    tip.dismiss()
    moves = event.key === 'Tab' || event.key.startsWith('Arrow')
  })
  on('keyup', () => {
    moves = false
  })
  on('scroll', tip.dismiss)
  on('blur', () => tip.lookAt(null))
  return () => {
    stop.abort()
    tip.dismiss()
  }
}
