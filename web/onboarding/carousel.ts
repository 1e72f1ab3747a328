import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDirection } from '#web/ui/text-direction.ts'

/** The part of a slide's width by which it must be dragged to change the slide. */
const MIN_DRAG = 0.1

type Viewport = UseEmblaCarouselType[0]
type Embla = NonNullable<UseEmblaCarouselType[1]>

type Carousel = {
  /** The number of slides. */
  count: number
  /** The index of the visible slide, from 0. */
  slide: number
  /** Runs with the index of each slide that becomes visible. */
  onSlide: (slide: number) => void
}

/** Returns a carousel of slides. A swipe, the mouse, the keyboard or `go` changes the slide. */
export function useCarousel({ count, slide, onSlide }: Carousel): {
  viewport: Viewport
  go: (slide: number) => void
} {
  const direction = useDirection()
  // The options must stay the same, because a change would restart the carousel.
  const [startIndex] = useState(slide)
  const [viewport, embla] = useEmblaCarousel({
    direction,
    startIndex,
    align: 'start',
    containScroll: false,
    breakpoints: { '(prefers-reduced-motion: reduce)': { duration: 0 } },
  })

  const onSelect = useEffectEvent((carousel: Embla) => onSlide(carousel.selectedScrollSnap()))
  /**
   * A key press before the carousel was ready may have changed the slide. A change of the text direction also restarts the
   * carousel.
   */
  const onReady = useEffectEvent((carousel: Embla) => {
    if (carousel.selectedScrollSnap() !== slide) carousel.scrollTo(slide, true)
    drift(carousel)
  })
  useEffect(() => {
    if (!embla) return
    let from = 0
    const onPointerDown = (): void => void (from = embla.selectedScrollSnap())
    const onPointerUp = (): void => settle(embla, from)
    embla.on('select', onSelect).on('pointerDown', onPointerDown).on('pointerUp', onPointerUp)
    embla.on('reInit', onReady).on('scroll', drift)
    onReady(embla)
    return () => {
      embla.off('select', onSelect).off('pointerDown', onPointerDown).off('pointerUp', onPointerUp)
      embla.off('reInit', onReady).off('scroll', drift)
    }
  }, [embla])

  function go(index: number): void {
    const target = Math.max(0, Math.min(count - 1, index))
    if (embla) embla.scrollTo(target)
    else onSlide(target)
  }
  useKeys({ count, slide, go, forward: direction === 'rtl' ? -1 : 1 })
  return { viewport, go }
}

/** Moves to the neighboring slide after a sufficiently long drag, even if the slide was held still before its release. */
function settle(carousel: Embla, from: number): void {
  const last = carousel.scrollSnapList().length - 1
  const distance = carousel.scrollProgress() * last - from
  if (carousel.selectedScrollSnap() !== from || Math.abs(distance) < MIN_DRAG) return
  carousel.scrollTo(Math.max(0, Math.min(last, from + Math.sign(distance))))
}

/** Sets each slide's distance from its place, from -1 to 1. Near and far parts of its picture move by different amounts. */
function drift(carousel: Embla): void {
  const progress = carousel.scrollProgress()
  const snaps = carousel.scrollSnapList()
  for (const [index, slide] of carousel.slideNodes().entries()) {
    const distance = ((snaps[index] ?? 0) - progress) * (snaps.length - 1)
    slide.style.setProperty('--away', Math.max(-1, Math.min(1, distance)).toFixed(3))
  }
}

type Keys = Pick<Carousel, 'count' | 'slide'> & { go: (slide: number) => void; forward: 1 | -1 }

/** Handles the arrow keys, Home and End for the whole screen, because no other element uses them. */
function useKeys({ count, slide, go, forward }: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
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
