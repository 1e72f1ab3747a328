import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** How far a mouse must drag a slide for the next one to come, as a part of its width. */
const ENOUGH = 0.1

/** Closer than this to a slide, the strip stands on it. */
const THERE = 0.01

/** What the browser scrolls by for one slide, in pixels: below 0 where slides follow each other to the left. */
function stepOf(strip: HTMLElement): number {
  const step = (strip.scrollWidth - strip.clientWidth) / (strip.childElementCount - 1)
  return getComputedStyle(strip).direction === 'rtl' ? -step : step
}

/** Where the strip stands: 1.5 is halfway between the second and the third slide. */
function placeOf(strip: HTMLElement): number {
  return strip.scrollLeft / (stepOf(strip) || 1)
}

type Carousel = {
  /** How many slides there are. */
  count: number
  /** The one in view, from 0. */
  slide: number
  /** Told which slide is in view now. */
  onSlide: (slide: number) => void
}

type Strip = {
  ref: RefObject<HTMLDivElement | null>
  onScroll: () => void
  onWheel: () => void
  onPointerDown: (event: PointerEvent) => void
  onPointerMove: (event: PointerEvent) => void
  onPointerUp: () => void
  onPointerCancel: () => void
}

/**
 * A strip of slides that the browser scrolls, so that it follows a finger as everything else does. Added is what
 * scrolling does not bring: going to a slide, dragging with a mouse, keys, and knowing which slide is in view.
 */
export function useCarousel({ count, slide, onSlide }: Carousel): { strip: Strip; go: (slide: number) => void } {
  const ref = useRef<HTMLDivElement>(null)
  /** The slide that the strip moves to by itself; what it passes on the way is not in view. */
  const heading = useRef<number | null>(null)
  const drag = useRef<{ x: number; left: number; from: number } | null>(null)

  /** Some browsers let a strip be drawn past its ends before it springs back. */
  function within(to: number): number {
    return Math.max(0, Math.min(count - 1, to))
  }

  function go(to: number) {
    const strip = ref.current
    if (!strip) return
    const target = within(to)
    // On its way elsewhere it may be further along than is known here yet.
    const stands = heading.current === null && isThere(strip, target)
    onSlide(target)
    heading.current = target
    strip.scrollTo({ left: target * stepOf(strip) })
    if (stands) settle(strip)
  }

  function settle(strip: HTMLElement) {
    heading.current = null
    delete strip.dataset['dragged']
  }

  /** Whoever takes the strip in hand has it. */
  function take() {
    if (ref.current) settle(ref.current)
  }

  function onScroll() {
    const strip = ref.current
    if (!strip) return
    if (heading.current === null) onSlide(within(Math.round(placeOf(strip))))
    else if (isThere(strip, heading.current)) settle(strip)
  }

  function onPointerDown(event: PointerEvent) {
    take()
    const strip = ref.current
    // Fingers and pens scroll by themselves.
    if (!strip || event.pointerType !== 'mouse' || event.button !== 0) return
    drag.current = { x: event.clientX, left: strip.scrollLeft, from: Math.round(placeOf(strip)) }
    strip.setPointerCapture(event.pointerId)
    strip.dataset['dragged'] = ''
    strip.scrollTo({ left: strip.scrollLeft, behavior: 'instant' })
  }

  function onPointerMove(event: PointerEvent) {
    if (!drag.current) return
    ref.current?.scrollTo({ left: drag.current.left - (event.clientX - drag.current.x), behavior: 'instant' })
  }

  function onPointerUp() {
    if (!drag.current || !ref.current) return
    const { from } = drag.current
    drag.current = null
    const moved = placeOf(ref.current) - from
    go(Math.abs(moved) < ENOUGH ? from : from + Math.sign(moved))
  }

  usePlaced(ref, slide)
  useKeys(ref, { count, slide, go })
  return {
    strip: { ref, onScroll, onWheel: take, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
    go,
  }
}

function isThere(strip: HTMLElement, slide: number): boolean {
  return Math.abs(placeOf(strip) - slide) < THERE
}

/** Shows the slide from the start, and still shows it when the strip has got another width. */
function usePlaced(ref: RefObject<HTMLDivElement | null>, slide: number): void {
  const place = useEffectEvent(() => {
    const strip = ref.current
    strip?.scrollTo({ left: slide * stepOf(strip), behavior: 'instant' })
  })
  useLayoutEffect(() => {
    place()
    // It is told before the scrolling that a new width brings about, which is nobody's wish for another slide.
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [])
}

/** Arrow keys, Home and End work wherever the focus is: there is nothing else on the screen that they could mean. */
function useKeys(
  ref: RefObject<HTMLDivElement | null>,
  { count, slide, go }: Omit<Carousel, 'onSlide'> & { go: (slide: number) => void },
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !ref.current)
      return
    const forward = Math.sign(stepOf(ref.current))
    const target = {
      ArrowRight: slide + forward,
      ArrowLeft: slide - forward,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    go(target)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
